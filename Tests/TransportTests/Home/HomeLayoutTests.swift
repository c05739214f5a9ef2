import Testing

@testable import Transport

@Suite struct HomeLayoutTests {
    private func layout(_ environment: [String: String]) throws -> HomeLayout {
        try HomeLayout(environment: { environment[$0] })
    }

    @Test func `SCURRY_HOME holds everything`() throws {
        let layout = try layout(["SCURRY_HOME": "/srv/one/", "XDG_DATA_HOME": "/data", "HOME": "/home/me"])
        #expect(layout.store == "/srv/one/store.sqlite")
        #expect(layout.peers == "/srv/one/peers")
    }

    @Test func `Without it data and settings follow XDG`() throws {
        let layout = try layout(["XDG_DATA_HOME": "/data", "XDG_CONFIG_HOME": "/etc/me", "HOME": "/home/me"])
        #expect(layout.store == "/data/scurry/store.sqlite")
        #expect(layout.peers == "/etc/me/scurry/peers")
    }

    @Test func `Unset and relative XDG variables give the usual places`() throws {
        let layout = try layout(["XDG_DATA_HOME": "data", "HOME": "/home/me"])
        #expect(layout.lock == "/home/me/.local/share/scurry/lock")
        #expect(layout.config == "/home/me/.config/scurry/config")
    }

    @Test func `A relative SCURRY_HOME begins where the process is`() throws {
        let layout = try layout(["SCURRY_HOME": "here"])
        #expect(layout.data.hasPrefix("/"))
        #expect(layout.data.hasSuffix("/here"))
    }
}
