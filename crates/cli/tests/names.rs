//! Names: one suite for both worlds (rule GATE-4), whose expected output is what Node prints, with a
//! name server in the program.

use crate::common;

#[test]
fn programs_do_the_same_in_both_worlds() {
    common::in_both_worlds("names");
}

#[test]
fn a_simulated_computer_is_alone() {
    let program = "const dns = require('dns');
        dns.lookup('localhost', { family: 6 }, (error, address) => console.log(address));
        dns.lookup('example.com', (error) => console.log(error.message));
        dns.resolve4('example.com', (error) => console.log(error.message));
        console.log(dns.getServers());";
    let directory = common::directory("alone", &[]);
    let output = common::hemiola(&directory).args(["simulate", "-e", program]).output();
    let shown = common::text(output.expect("hemiola can be run").stdout);
    let mut lines: Vec<&str> = shown.lines().collect();
    lines.sort_unstable();
    let expected = [
        "::1",
        "[ '127.0.0.1' ]",
        "getaddrinfo ENOTFOUND example.com",
        "queryA ECONNREFUSED example.com",
    ];
    assert_eq!(lines, expected);
}
