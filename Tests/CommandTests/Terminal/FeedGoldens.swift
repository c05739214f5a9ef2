// swift-format-ignore-file
// The lines are as long as a terminal is wide, and longer with colour.

/// How the mixed feed is drawn: the key is the width and whether colour is on; `␛` stands for the escape character.
enum FeedGoldens {
    static let all: [String: String] = [
        "40 off": #"""
             #cs193 · newest first          3 unread
             2 peers, synced 4 s ago
            ────────────────────────────────────────
            ▌k7fa  hazel ~9fq2 (you)       +6 −0 ↳2
            ▌      #squirrels · 14:02
            ▌      Caught this one stealing my
            ▌      bagel.
            ▌2mat  rowan ~xe8b            *+3 −1 ↳1
            ▌      #cs193 · 13:40
            ▌      Midterm room moved to Gates B01
            ▌      See the course page; bring your
            ▌      own scratch paper.
            ▌q3xd• 木の実リス ~ab2c    +12 *−10 ↳31
            ▌      #squirr… · 18 Nov 14:30 · edited
            ▌      今日のリス
            ▌      とても長い日本語の文章がここにあ
            ▌      ります。改行されるはずですが、ど
            ▌      うでしょうか。
            ▌
            ▌      And a link:
            ▌      https://example.edu/a/very/long/l
            ▌      ink/that/has/no/spaces/at/all.htm
            ▌      l
            ▌7yyv• rowan__xe8b__you_ ~zzzz
            ▌      #general · 8 Dec 2025 09:10
            ▌                              +0 −0 ↳0
            ▌      ␛[31mred<U+202E>txt␇
            ▌aaaa  maximilian ~q2wer (you)
            ▌      appears 24 Nov 01:50    +0 −0 ↳0
            ▌      tomorrow
            ▌bbbb• fern ~p3rn              +0 −0 ↳3
            ▌      #cs193 · 13:30
            ▌      the text has not arrived yet
            ▌cccc  fern ~p3rn
            ▌      #cs193 · 13:30 · deleted
            ▌dddd  not here
            ▌eeee  maximilian-alexand… ~p3rn4 (you)
            ▌      #a-channel-of-thir… · far future
            ▌                        +1234 −567 ↳89
            ▌      x
            ────────────────────────────────────────
             older:
             scurry feed -c cs193 --before eeee
            """#,
        "80 off": #"""
             #cs193 · newest first · 2 peers, synced 4 s ago                        3 unread
            ────────────────────────────────────────────────────────────────────────────────
            ▌k7fa  hazel ~9fq2 (you) · #squirrels · 14:02                       +6   −0  ↳2
            ▌      Caught this one stealing my bagel.
            ▌2mat  rowan ~xe8b · #cs193 · 13:40                                *+3   −1  ↳1
            ▌      Midterm room moved to Gates B01
            ▌      See the course page; bring your own scratch paper.
            ▌q3xd• 木の実リス ~ab2c                                           +12  *−10 ↳31
            ▌      #squirrels #cs193 #math51 · 18 Nov 14:30 · edited
            ▌      今日のリス
            ▌      とても長い日本語の文章がここにあります。改行されるはずですが、どうでしょ
            ▌      うか。
            ▌
            ▌      And a link:
            ▌      https://example.edu/a/very/long/link/that/has/no/spaces/at/all.html
            ▌7yyv• rowan__xe8b__you_ ~zzzz · #general · 8 Dec 2025 09:10        +0   −0  ↳0
            ▌      ␛[31mred<U+202E>txt␇
            ▌aaaa  maximilian ~q2wer (you) · appears 24 Nov 01:50               +0   −0  ↳0
            ▌      tomorrow
            ▌bbbb• fern ~p3rn · #cs193 · 13:30                                  +0   −0  ↳3
            ▌      the text has not arrived yet
            ▌cccc  fern ~p3rn · #cs193 · 13:30 · deleted
            ▌dddd  not here
            ▌eeee  maximilian-alexander-of-redwoods ~p3rn4 (you)             +1234 −567 ↳89
            ▌      #a-channel-of-thirty-two-letters-x #b · far future
            ▌      x
            ────────────────────────────────────────────────────────────────────────────────
             older: scurry feed -c cs193 --before eeee
            """#,
        "120 off": #"""
             #cs193 · newest first · 2 peers, synced 4 s ago                                                                3 unread
            ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
            ▌k7fa  hazel ~9fq2 (you) · #squirrels · 14:02                                                               +6   −0  ↳2
            ▌      Caught this one stealing my bagel.
            ▌2mat  rowan ~xe8b · #cs193 · 13:40                                                                        *+3   −1  ↳1
            ▌      Midterm room moved to Gates B01
            ▌      See the course page; bring your own scratch paper.
            ▌q3xd• 木の実リス ~ab2c · #squirrels #cs193 #math51 · 18 Nov 14:30 · edited                               +12  *−10 ↳31
            ▌      今日のリス
            ▌      とても長い日本語の文章がここにあります。改行されるはずですが、どうでしょうか。
            ▌
            ▌      And a link: https://example.edu/a/very/long/link/that/has/no/spaces/at/all.html
            ▌7yyv• rowan__xe8b__you_ ~zzzz · #general · 8 Dec 2025 09:10                                                +0   −0  ↳0
            ▌      ␛[31mred<U+202E>txt␇
            ▌aaaa  maximilian ~q2wer (you) · appears 24 Nov 01:50                                                       +0   −0  ↳0
            ▌      tomorrow
            ▌bbbb• fern ~p3rn · #cs193 · 13:30                                                                          +0   −0  ↳3
            ▌      the text has not arrived yet
            ▌cccc  fern ~p3rn · #cs193 · 13:30 · deleted
            ▌dddd  not here
            ▌eeee  maximilian-alexander-of-redwoods ~p3rn4 (you)                                                     +1234 −567 ↳89
            ▌      #a-channel-of-thirty-two-letters-x #b · far future
            ▌      x
            ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
             older: scurry feed -c cs193 --before eeee
            """#,
        "40 on": #"""
             #cs193 · newest first          ␛[1m3 unread␛[0m
             2 peers, synced 4 s ago
            ␛[2m────────────────────────────────────────␛[0m
            ␛[38;5;161m▌␛[0mk7fa  ␛[1mhazel␛[0m␛[2m ~9fq2␛[0m (you)       +6 −0 ↳2
            ␛[38;5;161m▌␛[0m      ␛[38;5;161m#squirrels␛[0m␛[2m · ␛[0m␛[2m14:02␛[0m
            ␛[38;5;161m▌␛[0m      Caught this one stealing my
            ␛[38;5;161m▌␛[0m      bagel.
            ␛[38;5;166m▌␛[0m2mat  ␛[1mrowan␛[0m␛[2m ~xe8b␛[0m            ␛[1m*␛[0m␛[1m+3␛[0m −1 ↳1
            ␛[38;5;166m▌␛[0m      ␛[38;5;166m#cs193␛[0m␛[2m · ␛[0m␛[2m13:40␛[0m
            ␛[38;5;166m▌␛[0m      ␛[1mMidterm room moved to Gates B01␛[0m
            ␛[38;5;166m▌␛[0m      See the course page; bring your
            ␛[38;5;166m▌␛[0m      own scratch paper.
            ␛[38;5;161m▌␛[0mq3xd␛[1m•␛[0m ␛[1m木の実リス␛[0m␛[2m ~ab2c␛[0m    +12 ␛[1m*␛[0m␛[1m−10␛[0m ↳31
            ␛[38;5;161m▌␛[0m      ␛[2m#squirr…␛[0m␛[2m · ␛[0m␛[2m18 Nov 14:30 · edited␛[0m
            ␛[38;5;161m▌␛[0m      ␛[1m今日のリス␛[0m
            ␛[38;5;161m▌␛[0m      とても長い日本語の文章がここにあ
            ␛[38;5;161m▌␛[0m      ります。改行されるはずですが、ど
            ␛[38;5;161m▌␛[0m      うでしょうか。
            ␛[38;5;161m▌␛[0m
            ␛[38;5;161m▌␛[0m      And a link:
            ␛[38;5;161m▌␛[0m      https://example.edu/a/very/long/l
            ␛[38;5;161m▌␛[0m      ink/that/has/no/spaces/at/all.htm
            ␛[38;5;161m▌␛[0m      l
            ␛[38;5;71m▌␛[0m7yyv␛[1m•␛[0m ␛[1mrowan__xe8b__you_␛[0m␛[2m ~zzzz␛[0m
            ␛[38;5;71m▌␛[0m      ␛[38;5;71m#general␛[0m␛[2m · ␛[0m␛[2m8 Dec 2025 09:10␛[0m
            ␛[38;5;71m▌␛[0m                              +0 −0 ␛[2m↳0␛[0m
            ␛[38;5;71m▌␛[0m      ␛[31mred<U+202E>txt␇
            ␛[2m▌␛[0maaaa  ␛[1mmaximilian␛[0m␛[2m ~q2wer␛[0m (you)
            ␛[2m▌␛[0m      ␛[2mappears 24 Nov 01:50␛[0m    +0 −0 ␛[2m↳0␛[0m
            ␛[2m▌␛[0m      tomorrow
            ␛[38;5;166m▌␛[0mbbbb␛[1m•␛[0m ␛[1mfern␛[0m␛[2m ~p3rn␛[0m              +0 −0 ↳3
            ␛[38;5;166m▌␛[0m      ␛[38;5;166m#cs193␛[0m␛[2m · ␛[0m␛[2m13:30␛[0m
            ␛[38;5;166m▌␛[0m      ␛[2mthe text has not arrived yet␛[0m
            ␛[38;5;166m▌␛[0mcccc  ␛[1mfern␛[0m␛[2m ~p3rn␛[0m
            ␛[38;5;166m▌␛[0m      ␛[38;5;166m#cs193␛[0m␛[2m · ␛[0m␛[2m13:30 · deleted␛[0m
            ␛[2m▌␛[0mdddd  ␛[2mnot here␛[0m
            ␛[38;5;64m▌␛[0meeee  ␛[1mmaximilian-alexand…␛[0m␛[2m ~p3rn4␛[0m (you)
            ␛[38;5;64m▌␛[0m      ␛[2m#a-channel-of-thir…␛[0m␛[2m · ␛[0m␛[2mfar future␛[0m
            ␛[38;5;64m▌␛[0m                        +1234 −567 ↳89
            ␛[38;5;64m▌␛[0m      x
            ␛[2m────────────────────────────────────────␛[0m
             older:
             scurry feed -c cs193 --before eeee
            """#,
        "80 on": #"""
             #cs193 · newest first · 2 peers, synced 4 s ago                        ␛[1m3 unread␛[0m
            ␛[2m────────────────────────────────────────────────────────────────────────────────␛[0m
            ␛[38;5;161m▌␛[0mk7fa  ␛[1mhazel␛[0m␛[2m ~9fq2␛[0m (you)␛[2m · ␛[0m␛[38;5;161m#squirrels␛[0m␛[2m · ␛[0m␛[2m14:02␛[0m                       +6   −0  ↳2
            ␛[38;5;161m▌␛[0m      Caught this one stealing my bagel.
            ␛[38;5;166m▌␛[0m2mat  ␛[1mrowan␛[0m␛[2m ~xe8b␛[0m␛[2m · ␛[0m␛[38;5;166m#cs193␛[0m␛[2m · ␛[0m␛[2m13:40␛[0m                                ␛[1m*␛[0m␛[1m+3␛[0m   −1  ↳1
            ␛[38;5;166m▌␛[0m      ␛[1mMidterm room moved to Gates B01␛[0m
            ␛[38;5;166m▌␛[0m      See the course page; bring your own scratch paper.
            ␛[38;5;161m▌␛[0mq3xd␛[1m•␛[0m ␛[1m木の実リス␛[0m␛[2m ~ab2c␛[0m                                           +12  ␛[1m*␛[0m␛[1m−10␛[0m ↳31
            ␛[38;5;161m▌␛[0m      ␛[38;5;161m#squirrels␛[0m␛[38;5;166m #cs193␛[0m␛[38;5;136m #math51␛[0m␛[2m · ␛[0m␛[2m18 Nov 14:30 · edited␛[0m
            ␛[38;5;161m▌␛[0m      ␛[1m今日のリス␛[0m
            ␛[38;5;161m▌␛[0m      とても長い日本語の文章がここにあります。改行されるはずですが、どうでしょ
            ␛[38;5;161m▌␛[0m      うか。
            ␛[38;5;161m▌␛[0m
            ␛[38;5;161m▌␛[0m      And a link:
            ␛[38;5;161m▌␛[0m      https://example.edu/a/very/long/link/that/has/no/spaces/at/all.html
            ␛[38;5;71m▌␛[0m7yyv␛[1m•␛[0m ␛[1mrowan__xe8b__you_␛[0m␛[2m ~zzzz␛[0m␛[2m · ␛[0m␛[38;5;71m#general␛[0m␛[2m · ␛[0m␛[2m8 Dec 2025 09:10␛[0m        +0   −0  ␛[2m↳0␛[0m
            ␛[38;5;71m▌␛[0m      ␛[31mred<U+202E>txt␇
            ␛[2m▌␛[0maaaa  ␛[1mmaximilian␛[0m␛[2m ~q2wer␛[0m (you)␛[2m · ␛[0m␛[2mappears 24 Nov 01:50␛[0m               +0   −0  ␛[2m↳0␛[0m
            ␛[2m▌␛[0m      tomorrow
            ␛[38;5;166m▌␛[0mbbbb␛[1m•␛[0m ␛[1mfern␛[0m␛[2m ~p3rn␛[0m␛[2m · ␛[0m␛[38;5;166m#cs193␛[0m␛[2m · ␛[0m␛[2m13:30␛[0m                                  +0   −0  ↳3
            ␛[38;5;166m▌␛[0m      ␛[2mthe text has not arrived yet␛[0m
            ␛[38;5;166m▌␛[0mcccc  ␛[1mfern␛[0m␛[2m ~p3rn␛[0m␛[2m · ␛[0m␛[38;5;166m#cs193␛[0m␛[2m · ␛[0m␛[2m13:30 · deleted␛[0m
            ␛[2m▌␛[0mdddd  ␛[2mnot here␛[0m
            ␛[38;5;64m▌␛[0meeee  ␛[1mmaximilian-alexander-of-redwoods␛[0m␛[2m ~p3rn4␛[0m (you)             +1234 −567 ↳89
            ␛[38;5;64m▌␛[0m      ␛[38;5;64m#a-channel-of-thirty-two-letters-x␛[0m␛[38;5;33m #b␛[0m␛[2m · ␛[0m␛[2mfar future␛[0m
            ␛[38;5;64m▌␛[0m      x
            ␛[2m────────────────────────────────────────────────────────────────────────────────␛[0m
             older: scurry feed -c cs193 --before eeee
            """#,
        "120 on": #"""
             #cs193 · newest first · 2 peers, synced 4 s ago                                                                ␛[1m3 unread␛[0m
            ␛[2m────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────␛[0m
            ␛[38;5;161m▌␛[0mk7fa  ␛[1mhazel␛[0m␛[2m ~9fq2␛[0m (you)␛[2m · ␛[0m␛[38;5;161m#squirrels␛[0m␛[2m · ␛[0m␛[2m14:02␛[0m                                                               +6   −0  ↳2
            ␛[38;5;161m▌␛[0m      Caught this one stealing my bagel.
            ␛[38;5;166m▌␛[0m2mat  ␛[1mrowan␛[0m␛[2m ~xe8b␛[0m␛[2m · ␛[0m␛[38;5;166m#cs193␛[0m␛[2m · ␛[0m␛[2m13:40␛[0m                                                                        ␛[1m*␛[0m␛[1m+3␛[0m   −1  ↳1
            ␛[38;5;166m▌␛[0m      ␛[1mMidterm room moved to Gates B01␛[0m
            ␛[38;5;166m▌␛[0m      See the course page; bring your own scratch paper.
            ␛[38;5;161m▌␛[0mq3xd␛[1m•␛[0m ␛[1m木の実リス␛[0m␛[2m ~ab2c␛[0m␛[2m · ␛[0m␛[38;5;161m#squirrels␛[0m␛[38;5;166m #cs193␛[0m␛[38;5;136m #math51␛[0m␛[2m · ␛[0m␛[2m18 Nov 14:30 · edited␛[0m                               +12  ␛[1m*␛[0m␛[1m−10␛[0m ↳31
            ␛[38;5;161m▌␛[0m      ␛[1m今日のリス␛[0m
            ␛[38;5;161m▌␛[0m      とても長い日本語の文章がここにあります。改行されるはずですが、どうでしょうか。
            ␛[38;5;161m▌␛[0m
            ␛[38;5;161m▌␛[0m      And a link: https://example.edu/a/very/long/link/that/has/no/spaces/at/all.html
            ␛[38;5;71m▌␛[0m7yyv␛[1m•␛[0m ␛[1mrowan__xe8b__you_␛[0m␛[2m ~zzzz␛[0m␛[2m · ␛[0m␛[38;5;71m#general␛[0m␛[2m · ␛[0m␛[2m8 Dec 2025 09:10␛[0m                                                +0   −0  ␛[2m↳0␛[0m
            ␛[38;5;71m▌␛[0m      ␛[31mred<U+202E>txt␇
            ␛[2m▌␛[0maaaa  ␛[1mmaximilian␛[0m␛[2m ~q2wer␛[0m (you)␛[2m · ␛[0m␛[2mappears 24 Nov 01:50␛[0m                                                       +0   −0  ␛[2m↳0␛[0m
            ␛[2m▌␛[0m      tomorrow
            ␛[38;5;166m▌␛[0mbbbb␛[1m•␛[0m ␛[1mfern␛[0m␛[2m ~p3rn␛[0m␛[2m · ␛[0m␛[38;5;166m#cs193␛[0m␛[2m · ␛[0m␛[2m13:30␛[0m                                                                          +0   −0  ↳3
            ␛[38;5;166m▌␛[0m      ␛[2mthe text has not arrived yet␛[0m
            ␛[38;5;166m▌␛[0mcccc  ␛[1mfern␛[0m␛[2m ~p3rn␛[0m␛[2m · ␛[0m␛[38;5;166m#cs193␛[0m␛[2m · ␛[0m␛[2m13:30 · deleted␛[0m
            ␛[2m▌␛[0mdddd  ␛[2mnot here␛[0m
            ␛[38;5;64m▌␛[0meeee  ␛[1mmaximilian-alexander-of-redwoods␛[0m␛[2m ~p3rn4␛[0m (you)                                                     +1234 −567 ↳89
            ␛[38;5;64m▌␛[0m      ␛[38;5;64m#a-channel-of-thirty-two-letters-x␛[0m␛[38;5;33m #b␛[0m␛[2m · ␛[0m␛[2mfar future␛[0m
            ␛[38;5;64m▌␛[0m      x
            ␛[2m────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────␛[0m
             older: scurry feed -c cs193 --before eeee
            """#,
    ]
}
