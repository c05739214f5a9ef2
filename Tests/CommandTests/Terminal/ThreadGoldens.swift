// swift-format-ignore-file
// The lines are as long as a terminal is wide, and longer with colour.

/// How the thread is drawn: the key is the width and whether colour is on; `␛` stands for the escape character.
enum ThreadGoldens {
    static let all: [String: String] = [
        "40 off": #"""
            ▌2mat  rowan ~xe8b            *+3 −1 ↳1
            ▌│     #cs193 · 13:40
            ▌│     Midterm room moved to Gates B01
            ▌│     See the course page; bring your
            ▌│     own scratch paper.
            ▌├ a2a2  hazel ~9fq2 · 14:29   +1 −0 ↳1
            ▌│ │ Is that the one with the broken
            ▌│ │ clock?
            ▌│ └ a3a3  fern ~9fq2 · 14:28  +2 −0 ↳1
            ▌│     Yes. It has been ten past two
            ▌│     since September, and the door
            ▌│     sticks, so come early.
            ▌├ a4a4  moss ~9fq2 · 14:29    +1 −0 ↳1
            ▌│ │ Thanks!
            ▌│ └ a5a5  rowan ~9fq2         +2 −0 ↳1
            ▌│   │ 14:28
            ▌│   │ two
            ▌│   ├ a6a6  hazel ~9fq2       +3 −0 ↳1
            ▌│   │   14:27
            ▌│   │   three, with a text that is long
            ▌│   │   enough for more than one line
            ▌│   └ a7a7  fern ~9fq2        +3 −0 ↳1
            ▌│     │ 14:27
            ▌│     │ three again
            ▌│     └ b2b2  moss ~9fq2      +4 −0 ↳1
            ▌│       │ 14:26
            ▌│       │ four
            ▌│       ├ b3b3  rowan ~9fq2   +5 −0 ↳1
            ▌│       │ │ 14:25
            ▌│       │ │ five
            ▌│       │ └ b4b4  hazel ~9fq2
            ▌│       │   │ 14:24           +6 −0 ↳1
            ▌│       │   │ six, and that is as deep
            ▌│       │   │ as it is drawn
            ▌│       │   └ 4 more replies:
            ▌│       │     scurry show b4b4
            ▌│       └ b7b7  fern ~9fq2    +5 −0 ↳1
            ▌│           14:25
            ▌│           five again
            ▌└ c2c2  not here
            ▌  └ c3c3  oak ~9fq2 · 14:28   +2 −0 ↳1
            ▌      came before its parent
            """#,
        "80 off": #"""
            ▌2mat  rowan ~xe8b · #cs193 · 13:40                                   *+3 −1 ↳1
            ▌│     Midterm room moved to Gates B01
            ▌│     See the course page; bring your own scratch paper.
            ▌├─ a2a2  hazel ~9fq2 · 14:29                                          +1 −0 ↳1
            ▌│  │     Is that the one with the broken clock?
            ▌│  └─ a3a3  fern ~9fq2 · 14:28                                        +2 −0 ↳1
            ▌│           Yes. It has been ten past two since September, and the door sticks,
            ▌│           so come early.
            ▌├─ a4a4  moss ~9fq2 · 14:29                                           +1 −0 ↳1
            ▌│  │     Thanks!
            ▌│  └─ a5a5  rowan ~9fq2 · 14:28                                       +2 −0 ↳1
            ▌│     │     two
            ▌│     ├─ a6a6  hazel ~9fq2 · 14:27                                    +3 −0 ↳1
            ▌│     │        three, with a text that is long enough for more than one line
            ▌│     └─ a7a7  fern ~9fq2 · 14:27                                     +3 −0 ↳1
            ▌│        │     three again
            ▌│        └─ b2b2  moss ~9fq2 · 14:26                                  +4 −0 ↳1
            ▌│           │     four
            ▌│           ├─ b3b3  rowan ~9fq2 · 14:25                              +5 −0 ↳1
            ▌│           │  │     five
            ▌│           │  └─ b4b4  hazel ~9fq2 · 14:24                           +6 −0 ↳1
            ▌│           │     │     six, and that is as deep as it is drawn
            ▌│           │     └─ 4 more replies: scurry show b4b4
            ▌│           └─ b7b7  fern ~9fq2 · 14:25                               +5 −0 ↳1
            ▌│                    five again
            ▌└─ c2c2  not here
            ▌   └─ c3c3  oak ~9fq2 · 14:28                                         +2 −0 ↳1
            ▌            came before its parent
            """#,
        "120 off": #"""
            ▌2mat  rowan ~xe8b · #cs193 · 13:40                                                                           *+3 −1 ↳1
            ▌│     Midterm room moved to Gates B01
            ▌│     See the course page; bring your own scratch paper.
            ▌├─ a2a2  hazel ~9fq2 · 14:29                                                                                  +1 −0 ↳1
            ▌│  │     Is that the one with the broken clock?
            ▌│  └─ a3a3  fern ~9fq2 · 14:28                                                                                +2 −0 ↳1
            ▌│           Yes. It has been ten past two since September, and the door sticks, so come early.
            ▌├─ a4a4  moss ~9fq2 · 14:29                                                                                   +1 −0 ↳1
            ▌│  │     Thanks!
            ▌│  └─ a5a5  rowan ~9fq2 · 14:28                                                                               +2 −0 ↳1
            ▌│     │     two
            ▌│     ├─ a6a6  hazel ~9fq2 · 14:27                                                                            +3 −0 ↳1
            ▌│     │        three, with a text that is long enough for more than one line
            ▌│     └─ a7a7  fern ~9fq2 · 14:27                                                                             +3 −0 ↳1
            ▌│        │     three again
            ▌│        └─ b2b2  moss ~9fq2 · 14:26                                                                          +4 −0 ↳1
            ▌│           │     four
            ▌│           ├─ b3b3  rowan ~9fq2 · 14:25                                                                      +5 −0 ↳1
            ▌│           │  │     five
            ▌│           │  └─ b4b4  hazel ~9fq2 · 14:24                                                                   +6 −0 ↳1
            ▌│           │     │     six, and that is as deep as it is drawn
            ▌│           │     └─ 4 more replies: scurry show b4b4
            ▌│           └─ b7b7  fern ~9fq2 · 14:25                                                                       +5 −0 ↳1
            ▌│                    five again
            ▌└─ c2c2  not here
            ▌   └─ c3c3  oak ~9fq2 · 14:28                                                                                 +2 −0 ↳1
            ▌            came before its parent
            """#,
        "40 on": #"""
            ␛[38;5;166m▌␛[0m2mat  ␛[1mrowan␛[0m␛[2m ~xe8b␛[0m            ␛[1m*␛[0m␛[1m+3␛[0m −1 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│     ␛[0m␛[38;5;166m#cs193␛[0m␛[2m · ␛[0m␛[2m13:40␛[0m
            ␛[38;5;166m▌␛[0m␛[2m│     ␛[0m␛[1mMidterm room moved to Gates B01␛[0m
            ␛[38;5;166m▌␛[0m␛[2m│     ␛[0mSee the course page; bring your
            ␛[38;5;166m▌␛[0m␛[2m│     ␛[0mown scratch paper.
            ␛[38;5;166m▌␛[0m␛[2m├ ␛[0ma2a2  ␛[1mhazel␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:29␛[0m   +1 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m␛[2m│ ␛[0mIs that the one with the broken
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m␛[2m│ ␛[0mclock?
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m␛[2m└ ␛[0ma3a3  ␛[1mfern␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:28␛[0m  +2 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m    Yes. It has been ten past two
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m    since September, and the door
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m    sticks, so come early.
            ␛[38;5;166m▌␛[0m␛[2m├ ␛[0ma4a4  ␛[1mmoss␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:29␛[0m    +1 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m␛[2m│ ␛[0mThanks!
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m␛[2m└ ␛[0ma5a5  ␛[1mrowan␛[0m␛[2m ~9fq2␛[0m         +2 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m  ␛[2m│ ␛[0m␛[2m14:28␛[0m
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m  ␛[2m│ ␛[0mtwo
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m  ␛[2m├ ␛[0ma6a6  ␛[1mhazel␛[0m␛[2m ~9fq2␛[0m       +3 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m  ␛[2m│ ␛[0m  ␛[2m14:27␛[0m
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m  ␛[2m│ ␛[0m  three, with a text that is long
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m  ␛[2m│ ␛[0m  enough for more than one line
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m  ␛[2m└ ␛[0ma7a7  ␛[1mfern␛[0m␛[2m ~9fq2␛[0m        +3 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m    ␛[2m│ ␛[0m␛[2m14:27␛[0m
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m    ␛[2m│ ␛[0mthree again
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m    ␛[2m└ ␛[0mb2b2  ␛[1mmoss␛[0m␛[2m ~9fq2␛[0m      +4 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m      ␛[2m│ ␛[0m␛[2m14:26␛[0m
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m      ␛[2m│ ␛[0mfour
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m      ␛[2m├ ␛[0mb3b3  ␛[1mrowan␛[0m␛[2m ~9fq2␛[0m   +5 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m      ␛[2m│ ␛[0m␛[2m│ ␛[0m␛[2m14:25␛[0m
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m      ␛[2m│ ␛[0m␛[2m│ ␛[0mfive
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m      ␛[2m│ ␛[0m␛[2m└ ␛[0mb4b4  ␛[1mhazel␛[0m␛[2m ~9fq2␛[0m
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m      ␛[2m│ ␛[0m  ␛[2m│ ␛[0m␛[2m14:24␛[0m           +6 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m      ␛[2m│ ␛[0m  ␛[2m│ ␛[0msix, and that is as deep
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m      ␛[2m│ ␛[0m  ␛[2m│ ␛[0mas it is drawn
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m      ␛[2m│ ␛[0m  ␛[2m└ ␛[0m␛[2m4 more replies:␛[0m
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m      ␛[2m│ ␛[0m    ␛[2mscurry show b4b4␛[0m
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m      ␛[2m└ ␛[0mb7b7  ␛[1mfern␛[0m␛[2m ~9fq2␛[0m    +5 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m          ␛[2m14:25␛[0m
            ␛[38;5;166m▌␛[0m␛[2m│ ␛[0m          five again
            ␛[38;5;166m▌␛[0m␛[2m└ ␛[0mc2c2  ␛[2mnot here␛[0m
            ␛[38;5;166m▌␛[0m  ␛[2m└ ␛[0mc3c3  ␛[1moak␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:28␛[0m   +2 −0 ↳1
            ␛[38;5;166m▌␛[0m      came before its parent
            """#,
        "80 on": #"""
            ␛[38;5;166m▌␛[0m2mat  ␛[1mrowan␛[0m␛[2m ~xe8b␛[0m␛[2m · ␛[0m␛[38;5;166m#cs193␛[0m␛[2m · ␛[0m␛[2m13:40␛[0m                                   ␛[1m*␛[0m␛[1m+3␛[0m −1 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│     ␛[0m␛[1mMidterm room moved to Gates B01␛[0m
            ␛[38;5;166m▌␛[0m␛[2m│     ␛[0mSee the course page; bring your own scratch paper.
            ␛[38;5;166m▌␛[0m␛[2m├─ ␛[0ma2a2  ␛[1mhazel␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:29␛[0m                                          +1 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m␛[2m│     ␛[0mIs that the one with the broken clock?
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m␛[2m└─ ␛[0ma3a3  ␛[1mfern␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:28␛[0m                                        +2 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m         Yes. It has been ten past two since September, and the door sticks,
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m         so come early.
            ␛[38;5;166m▌␛[0m␛[2m├─ ␛[0ma4a4  ␛[1mmoss␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:29␛[0m                                           +1 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m␛[2m│     ␛[0mThanks!
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m␛[2m└─ ␛[0ma5a5  ␛[1mrowan␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:28␛[0m                                       +2 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m   ␛[2m│     ␛[0mtwo
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m   ␛[2m├─ ␛[0ma6a6  ␛[1mhazel␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:27␛[0m                                    +3 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m   ␛[2m│  ␛[0m      three, with a text that is long enough for more than one line
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m   ␛[2m└─ ␛[0ma7a7  ␛[1mfern␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:27␛[0m                                     +3 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m      ␛[2m│     ␛[0mthree again
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m      ␛[2m└─ ␛[0mb2b2  ␛[1mmoss␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:26␛[0m                                  +4 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m         ␛[2m│     ␛[0mfour
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m         ␛[2m├─ ␛[0mb3b3  ␛[1mrowan␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:25␛[0m                              +5 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m         ␛[2m│  ␛[0m␛[2m│     ␛[0mfive
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m         ␛[2m│  ␛[0m␛[2m└─ ␛[0mb4b4  ␛[1mhazel␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:24␛[0m                           +6 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m         ␛[2m│  ␛[0m   ␛[2m│     ␛[0msix, and that is as deep as it is drawn
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m         ␛[2m│  ␛[0m   ␛[2m└─ ␛[0m␛[2m4 more replies: scurry show b4b4␛[0m
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m         ␛[2m└─ ␛[0mb7b7  ␛[1mfern␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:25␛[0m                               +5 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m                  five again
            ␛[38;5;166m▌␛[0m␛[2m└─ ␛[0mc2c2  ␛[2mnot here␛[0m
            ␛[38;5;166m▌␛[0m   ␛[2m└─ ␛[0mc3c3  ␛[1moak␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:28␛[0m                                         +2 −0 ↳1
            ␛[38;5;166m▌␛[0m            came before its parent
            """#,
        "120 on": #"""
            ␛[38;5;166m▌␛[0m2mat  ␛[1mrowan␛[0m␛[2m ~xe8b␛[0m␛[2m · ␛[0m␛[38;5;166m#cs193␛[0m␛[2m · ␛[0m␛[2m13:40␛[0m                                                                           ␛[1m*␛[0m␛[1m+3␛[0m −1 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│     ␛[0m␛[1mMidterm room moved to Gates B01␛[0m
            ␛[38;5;166m▌␛[0m␛[2m│     ␛[0mSee the course page; bring your own scratch paper.
            ␛[38;5;166m▌␛[0m␛[2m├─ ␛[0ma2a2  ␛[1mhazel␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:29␛[0m                                                                                  +1 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m␛[2m│     ␛[0mIs that the one with the broken clock?
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m␛[2m└─ ␛[0ma3a3  ␛[1mfern␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:28␛[0m                                                                                +2 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m         Yes. It has been ten past two since September, and the door sticks, so come early.
            ␛[38;5;166m▌␛[0m␛[2m├─ ␛[0ma4a4  ␛[1mmoss␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:29␛[0m                                                                                   +1 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m␛[2m│     ␛[0mThanks!
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m␛[2m└─ ␛[0ma5a5  ␛[1mrowan␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:28␛[0m                                                                               +2 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m   ␛[2m│     ␛[0mtwo
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m   ␛[2m├─ ␛[0ma6a6  ␛[1mhazel␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:27␛[0m                                                                            +3 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m   ␛[2m│  ␛[0m      three, with a text that is long enough for more than one line
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m   ␛[2m└─ ␛[0ma7a7  ␛[1mfern␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:27␛[0m                                                                             +3 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m      ␛[2m│     ␛[0mthree again
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m      ␛[2m└─ ␛[0mb2b2  ␛[1mmoss␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:26␛[0m                                                                          +4 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m         ␛[2m│     ␛[0mfour
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m         ␛[2m├─ ␛[0mb3b3  ␛[1mrowan␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:25␛[0m                                                                      +5 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m         ␛[2m│  ␛[0m␛[2m│     ␛[0mfive
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m         ␛[2m│  ␛[0m␛[2m└─ ␛[0mb4b4  ␛[1mhazel␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:24␛[0m                                                                   +6 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m         ␛[2m│  ␛[0m   ␛[2m│     ␛[0msix, and that is as deep as it is drawn
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m         ␛[2m│  ␛[0m   ␛[2m└─ ␛[0m␛[2m4 more replies: scurry show b4b4␛[0m
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m         ␛[2m└─ ␛[0mb7b7  ␛[1mfern␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:25␛[0m                                                                       +5 −0 ↳1
            ␛[38;5;166m▌␛[0m␛[2m│  ␛[0m                  five again
            ␛[38;5;166m▌␛[0m␛[2m└─ ␛[0mc2c2  ␛[2mnot here␛[0m
            ␛[38;5;166m▌␛[0m   ␛[2m└─ ␛[0mc3c3  ␛[1moak␛[0m␛[2m ~9fq2␛[0m␛[2m · ␛[0m␛[2m14:28␛[0m                                                                                 +2 −0 ↳1
            ␛[38;5;166m▌␛[0m            came before its parent
            """#,
    ]
}
