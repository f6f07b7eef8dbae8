//! Datagrams: one suite for both worlds (rule GATE-4), whose expected output is what Node prints; and
//! what only one of the worlds promises.

use crate::common;

#[test]
fn programs_do_the_same_in_both_worlds() {
    common::in_both_worlds("datagrams");
}

#[test]
fn the_seed_decides_whose_datagram_arrives_first() {
    let program = "const dgram = require('dgram');
        let order = '';
        const server = dgram.createSocket('udp4', (message) => {
          order += message;
          if (order.length === 4) { console.log(order); server.close(); }
        });
        server.bind(0, '127.0.0.1', () => {
          for (const name of 'abcd') {
            const client = dgram.createSocket('udp4');
            client.send(name, server.address().port, '127.0.0.1', () => client.close());
          }
        });";
    let directory = common::directory("datagram_seeds", &[]);
    let run = |seed: u32| {
        let words = ["simulate", "--seed", &seed.to_string(), "-e", program];
        let output = common::hemiola(&directory).args(words).output();
        common::text(output.expect("hemiola can be run").stdout)
    };
    let orders: Vec<String> = (0..8).map(run).collect();
    assert_eq!(orders, (0..8).map(run).collect::<Vec<_>>(), "a seed decides everything");
    let differ = orders.iter().any(|order| order != &orders[0]);
    assert!(differ, "other seeds, other orders: {orders:?}");
}

#[test]
fn a_closed_socket_leaves_its_port_at_once() {
    let program = "const dgram = require('dgram');
        let left = 50;
        function again(port) {
          const socket = dgram.createSocket('udp4');
          socket.bind(port, '127.0.0.1', () => {
            const taken = socket.address().port;
            socket.close();
            if (--left > 0) again(taken);
            else console.log(port === taken);
          });
        }
        again(0);";
    let directory = common::directory("datagram_ports", &[]);
    let output = common::hemiola(&directory).args(["run", "-e", program]).output();
    assert_eq!(common::text(output.expect("hemiola can be run").stdout), "true\n");
}

/// A program that may speak with one address may do so, from wherever; with others it may not.
#[test]
fn only_allowed_places_are_spoken_with() {
    let program = "const dgram = require('dgram');
        const dns = require('dns');
        const told = (name) => (error) => console.log(name, error ? `${error.code} ${error.message.split(': ')[1]}` : 'sent');
        const attempt = (name, act) => new Promise((done) => {
          const socket = dgram.createSocket('udp4');
          socket.on('error', (error) => { told(name)(error); socket.close(done); });
          act(socket, (error) => { told(name)(error); socket.close(done); });
        });
        const resolver = new dns.Resolver();
        resolver.setServers(['10.0.0.3:5353']);
        (async () => {
          await attempt('send', (socket, done) => socket.send('x', 9, '127.0.0.1', done));
          await attempt('elsewhere', (socket, done) => socket.send('x', 9, '10.0.0.1', done));
          await attempt('connect', (socket, done) => socket.connect(9, '10.0.0.2', done));
          await attempt('bind', (socket, done) => socket.bind(0, done));
          resolver.resolve4('a.test', told('resolve'));
        })();";
    let directory = common::directory("datagram_permissions", &[]);
    for world in ["run", "simulate"] {
        let words = [world, "--permission", "--allow-net=127.0.0.1", "-e", program];
        let output = common::hemiola(&directory).args(words).output().expect("hemiola can be run");
        let denied = "ERR_ACCESS_DENIED --allow-net";
        let expected = format!(
            "send sent\nelsewhere {denied}=10.0.0.1:9\nconnect {denied}=10.0.0.2:9\n\
             bind {denied}=0.0.0.0:0\nresolve {denied}=10.0.0.3:5353\n"
        );
        assert_eq!(common::text(output.stdout), expected, "{world}");
    }
}
