//! Databases that cannot be written for a while, and those that want to be encrypted.

use super::server::{Server, encrypted_server, own_server};
use super::{NODE, Node};
use crate::common::directory;

fn node_on(server: &Server, test: &str) -> (Node, String) {
    let name = test.replace('-', "_");
    let address = server.database(&name);
    let mut node = Node::start(
        &directory(test, &[("node.mjs", NODE)]),
        &address,
        "one",
        r#"{ "lease": 20000 }"#,
    );
    node.hear("joined");
    node.tell("trigger a");
    assert_eq!(node.hear("enter"), "a 1 triggered 1");
    (node, name)
}

/// A database that can only be read for a while, as one that is failed over from, loses nothing: what is asked for is
/// refused, and what ends is written when it can be.
#[test]
fn a_database_is_read_only_for_a_while() {
    let Some(server) = own_server("cluster-read-only") else { return };
    let (mut one, _) = node_on(&server, "cluster-read-only");
    let set = |value: &str| {
        server
            .sql("postgres", &format!("ALTER SYSTEM SET default_transaction_read_only = {value}"));
        server.sql("postgres", "SELECT pg_reload_conf()");
    };
    set("on");
    // Sessions hear of it with their next statement, or the one after.
    while one.order("trigger x") != ["EROFS"] {}
    one.tell("end a");
    while !one.hear("warning the scheduler's cluster test:").contains("can only be read") {}
    // The setting itself is no row: it can be taken back.
    set("off");
    assert_eq!(one.hear("success"), "a 1");
    one.stop();
}

/// A server whose disk is full says so, and what was to be written then is written when there is room.
#[test]
fn a_database_is_full_for_a_while() {
    let Some(server) = own_server("cluster-full") else { return };
    let (mut one, database) = node_on(&server, "cluster-full");
    server.sql(
        &database,
        "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS \
         $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'; END $$; \
         CREATE TRIGGER full_disk BEFORE UPDATE ON hemiola.tasks FOR EACH ROW EXECUTE FUNCTION full_disk()",
    );
    assert_eq!(one.order("trigger b"), ["ENOSPC"]);
    one.tell("end a");
    while !one.hear("warning the scheduler's cluster test:").contains("disk is full") {}
    server.sql(&database, "DROP TRIGGER full_disk ON hemiola.tasks");
    assert_eq!(one.hear("success"), "a 1");
    one.stop();
}

/// `require` encrypts and believes any server, `verify-full` only one with a certificate of an authority that it knows.
#[test]
fn connections_are_encrypted() {
    let Some((server, port)) = encrypted_server("cluster-tls") else { return };
    let folder = directory("cluster-tls", &[("node.mjs", NODE)]);
    let address =
        |parameters: &str| format!("postgres://test@localhost:{port}/postgres?{parameters}");
    let joins = |parameters: &str| {
        let mut node = Node::start(&folder, &address(parameters), "one", "{}");
        node.hear("joined");
        node.stop();
    };
    let refused = |parameters: &str| {
        let line = Node::start(&folder, &address(parameters), "one", "{}").hear("StoreError");
        line.split(' ').next().expect("a code").to_owned()
    };
    let known = format!("sslmode=verify-full&sslrootcert={}/server.crt", server.folder().display());
    joins("sslmode=require");
    joins("");
    joins(&known);
    assert_eq!(refused("sslmode=verify-full"), "ERR_STORE_TLS");
    // The certificate is of another name.
    let other = format!("{known}&host=127.0.0.1");
    assert_eq!(refused(&other), "ERR_STORE_TLS");
    assert_eq!(refused("sslmode=disable"), "ERR_STORE_LOGIN");
}
