import Testing

/// Words that a command does not take as they stand: the hint can be typed, and repeats no secret.
struct StrayWordTests {
    /// Looks like an invite with a secret.
    private static let invite = "scurry:abc@oak:7776/lab/MFRGGZDFMZTWQ2LKNNWG23TPOA/check"

    @Test(arguments: [
        (
            ["init", StrayWordTests.invite], "unexpected argument an invite",
            "scurry init --name NAME --secret-file FILE, the invite in FILE"
        ),
        (
            ["init", "--hub", StrayWordTests.invite.uppercased()], "unexpected argument an invite",
            "scurry init --hub --secret-file FILE, the invite in FILE"
        ),
        (["name", "hazel", StrayWordTests.invite], "unexpected argument an invite", "scurry name -h"),
        (
            ["vote", StrayWordTests.invite],
            "the value an invite is invalid for 'up|down|none': it takes 'up', 'down' or 'none'",
            "scurry vote -h"
        ),
        ([StrayWordTests.invite], "an invite is no command", "scurry join - < FILE, with the invite in FILE"),
    ])
    func `An invite is not repeated`(arguments: [String], message: String, hint: String) throws {
        expectFailure(try TestHome().run(arguments), 64, message, hint: hint)
    }

    @Test func `An invite is not repeated where it names no peer`() throws {
        let home = try TestHome(name: "hazel")
        expectFailure(
            try home.run("leave", Self.invite),
            3,
            "no peer here is called an invite",
            hint: "scurry peers"
        )
    }

    @Test(arguments: [
        (["init", "ha#zel"], "unexpected argument 'ha#zel'", "scurry init -h"),
        (["init", "hazel", "wood", "--name=x"], "2 unexpected arguments: 'hazel', 'wood'", "scurry init -h"),
        (["name", "hazel", "~9fq2"], "unexpected argument '~9fq2'", "scurry name -h"),
        (
            ["feed", "hazel"], "unexpected argument 'hazel'",
            "scurry feed -c hazel, or for a person: scurry feed --from hazel"
        ),
    ])
    func `What would be refused is not hinted`(arguments: [String], message: String, hint: String) throws {
        expectFailure(try TestHome().run(arguments), 64, message, hint: hint)
    }

    @Test(arguments: ["upp", "like", "delete", "vrq"])
    func `What is no beginning of an id is not voted up`(word: String) throws {
        let message = "the value '\(word)' is invalid for 'up|down|none': it takes 'up', 'down' or 'none'"
        expectFailure(try TestHome().run("vote", word), 64, message, hint: "scurry vote -h")
    }
}
