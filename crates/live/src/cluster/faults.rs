//! Why a database is refused, or a transaction: each reason has a code, and says what to do.

use postgres::error::SqlState;

/// What can be wrong with a database.
#[derive(Debug)]
pub(super) enum Trouble {
    /// It says so itself, or cannot be asked.
    Database(postgres::Error),
    /// What is in it cannot be read.
    Damaged(String),
    /// Its tables are of that version, which is too new.
    Newer(i32),
}

impl From<postgres::Error> for Trouble {
    fn from(error: postgres::Error) -> Self {
        Self::Database(error)
    }
}

/// What it means to whoever declared tasks: a code, and what to do about it.
pub(super) fn about(trouble: &Trouble, label: &str) -> (&'static str, String) {
    let (code, message) = match trouble {
        Trouble::Database(error) => of_database(error),
        Trouble::Damaged(what) => {
            let message = format!("what it keeps cannot be read ({what}): put back a copy");
            ("ERR_STORE_DAMAGED", message)
        }
        Trouble::Newer(version) => {
            let message = format!(
                "a newer version of Hemiola made its tables (version {version}): use that one, or another database"
            );
            ("ERR_STORE_NEWER", message)
        }
    };
    (code, format!("{label}: {message}"))
}

fn of_database(error: &postgres::Error) -> (&'static str, String) {
    let Some(said) = error.as_db_error() else {
        return unreachable_server(error);
    };
    let state = said.code();
    let (code, help) = match state {
        state
            if [SqlState::INVALID_PASSWORD, SqlState::INVALID_AUTHORIZATION_SPECIFICATION]
                .contains(state) =>
        {
            ("ERR_STORE_LOGIN", "the server does not let this user in: check user and password")
        }
        state if *state == SqlState::INVALID_CATALOG_NAME => {
            ("ERR_STORE_OPEN", "there is no such database: create it")
        }
        state if *state == SqlState::INSUFFICIENT_PRIVILEGE => (
            "ERR_STORE_RIGHTS",
            "this user may not do that: grant it CREATE on the database, or USAGE on the schema hemiola and SELECT, \
             INSERT, UPDATE, DELETE on its tables",
        ),
        state if *state == SqlState::READ_ONLY_SQL_TRANSACTION => {
            ("EROFS", "the database can only be read: connect to the one that can be written")
        }
        state if *state == SqlState::DISK_FULL => {
            ("ENOSPC", "the server's disk is full: make room")
        }
        state
            if [
                SqlState::ADMIN_SHUTDOWN,
                SqlState::CRASH_SHUTDOWN,
                SqlState::CANNOT_CONNECT_NOW,
                SqlState::TOO_MANY_CONNECTIONS,
            ]
            .contains(state) =>
        {
            ("ERR_STORE_UNREACHABLE", "the server takes no connections now")
        }
        state
            if [
                SqlState::LOCK_NOT_AVAILABLE,
                SqlState::QUERY_CANCELED,
                SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
            ]
            .contains(state) =>
        {
            ("ERR_STORE_BUSY", "the database took too long")
        }
        _ => ("ERR_STORE", "the database refused"),
    };
    (code, format!("{help} ({})", said.message()))
}

/// There was no answer at all.
fn unreachable_server(error: &postgres::Error) -> (&'static str, String) {
    let mut why = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        let text = cause.to_string();
        if !why.contains(&text) {
            why = format!("{why}: {text}");
        }
        source = cause.source();
    }
    if why.contains("TLS") {
        return ("ERR_STORE_TLS", format!("no encrypted connection ({why}): see sslmode"));
    }
    if why.contains("password") {
        return ("ERR_STORE_LOGIN", format!("the server wants a password ({why})"));
    }
    ("ERR_STORE_UNREACHABLE", format!("the server cannot be reached ({why})"))
}
