//! Databases of `node:sqlite`: connections by number. A statement is its text, and is prepared where it runs.

use hemiola_gate::files::Links;
use hemiola_gate::{Answer, Datum, Fault, FilePath, Record, SqlCall};
use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, Error, OpenFlags, Statement, ToSql, ffi};
use std::collections::BTreeMap;
use std::time::Duration;

/// The largest whole number that a number of JavaScript keeps.
const SAFE: i64 = (1 << 53) - 1;
/// The field of a record that is a whole number of JavaScript, in digits.
const BIG: &str = "big";

/// The databases that are open, by number.
#[derive(Default)]
pub(crate) struct Databases {
    open: BTreeMap<u64, Connection>,
    count: u64,
}

impl Databases {
    pub(crate) fn perform(&mut self, call: SqlCall) -> Answer {
        match call {
            SqlCall::Open { path, options } => {
                let connection = open(Some(&path), &options).map_err(|error| fault(&error))?;
                Ok(self.keep(connection))
            }
            SqlCall::Memory { options } => {
                let connection = open(None, &options).map_err(|error| fault(&error))?;
                Ok(self.keep(connection))
            }
            SqlCall::Close { database } => {
                self.open.remove(&database);
                Ok(Datum::Undefined)
            }
            SqlCall::Exec { database, sql } => {
                self.find(database)?.execute_batch(&sql).map_err(|error| fault(&error))?;
                Ok(Datum::Undefined)
            }
            SqlCall::Prepare { database, sql } => {
                let connection = self.find(database)?;
                let statement = connection.prepare(&sql).map_err(|error| fault(&error))?;
                Ok(Datum::Bool(statement.column_count() > 0))
            }
            SqlCall::Query { database, sql, named, given, options } => {
                query(self.find(database)?, &sql, &named, given, &options)
            }
        }
    }

    fn keep(&mut self, connection: Connection) -> Datum {
        self.count += 1;
        self.open.insert(self.count, connection);
        Datum::Number(self.count as f64)
    }

    fn find(&self, database: u64) -> Result<&Connection, Fault> {
        self.open.get(&database).ok_or_else(|| Fault::new("EBADF", "database is not open"))
    }
}

/// A field of what is asked for.
fn field<'a>(record: &'a Record, name: &str) -> Option<&'a Datum> {
    match &**record {
        Datum::Record(fields) => fields.iter().find(|(one, _)| one == name).map(|(_, it)| it),
        _ => None,
    }
}

fn is_on(record: &Record, name: &str) -> bool {
    field(record, name) == Some(&Datum::Bool(true))
}

/// Opens a file, or a database that is only in memory.
fn open(path: Option<&FilePath>, options: &Record) -> rusqlite::Result<Connection> {
    let mut flags = match is_on(options, "readOnly") {
        true => OpenFlags::SQLITE_OPEN_READ_ONLY,
        false => OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE,
    };
    flags |= OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = match path {
        Some(path) => {
            let place = path.at();
            if place.links == Links::Refused {
                flags |= OpenFlags::SQLITE_OPEN_NOFOLLOW;
            }
            Connection::open_with_flags(place.path, flags)?
        }
        None => Connection::open_in_memory_with_flags(flags)?,
    };
    let timeout = field(options, "timeout").and_then(Datum::as_number).unwrap_or(0.0);
    connection.busy_timeout(Duration::from_millis(timeout as u64))?;
    let keys = DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY;
    connection.set_db_config(keys, is_on(options, "foreignKeys"))?;
    for quoted in [DbConfig::SQLITE_DBCONFIG_DQS_DDL, DbConfig::SQLITE_DBCONFIG_DQS_DML] {
        connection.set_db_config(quoted, is_on(options, "doubleQuotedStrings"))?;
    }
    // A statement names no other file: nobody has checked that the program may open it.
    connection.authorizer(Some(|asked: AuthContext<'_>| match asked.action {
        AuthAction::Attach { filename } if !matches!(filename, "" | ":memory:") => {
            Authorization::Deny
        }
        _ => Authorization::Allow,
    }))?;
    Ok(connection)
}

/// Runs a statement: its columns, rows, and what it has changed.
fn query(
    connection: &Connection,
    sql: &str,
    named: &Record,
    given: Vec<Datum>,
    options: &Record,
) -> Answer {
    let mut statement = connection.prepare(sql).map_err(|error| fault(&error))?;
    bind(&mut statement, named, given, options)?;
    let expanded = statement.expanded_sql();
    let names = statement.column_names();
    let columns: Vec<Datum> = names.map(|name| Datum::Text(name.to_owned())).collect();
    let is_big = is_on(options, "big");
    let most = if is_on(options, "first") { 1 } else { usize::MAX };
    let mut found = Vec::new();
    let mut rows = statement.raw_query();
    while found.len() < most
        && let Some(row) = rows.next().map_err(|error| fault(&error))?
    {
        let mut values = Vec::with_capacity(columns.len());
        for column in 0..columns.len() {
            let value = row.get_ref(column).map_err(|error| fault(&error))?;
            values.push(datum(value, is_big)?);
        }
        found.push(Datum::List(values));
    }
    drop(rows);
    let number = |number: i64| integer(number, is_big);
    let record = [
        ("columns", Datum::List(columns)),
        ("rows", Datum::List(found)),
        ("changes", number(connection.changes() as i64)?),
        ("rowid", number(connection.last_insert_rowid())?),
        ("sql", expanded.map_or(Datum::Undefined, Datum::Text)),
        ("isTransaction", Datum::Bool(!connection.is_autocommit())),
    ];
    Ok(Datum::Record(record.map(|(name, value)| (name.to_owned(), value)).into()))
}

/// Gives a statement its parameters: those with a name, and the others in their order.
fn bind(
    statement: &mut Statement<'_>,
    named: &Record,
    given: Vec<Datum>,
    options: &Record,
) -> Result<(), Fault> {
    let names: Vec<Option<String>> = (1..=statement.parameter_count())
        .map(|index| statement.parameter_name(index).map(str::to_owned))
        .collect();
    let place = |key: &str| {
        let is = |name: &Option<String>, key: &str| name.as_deref() == Some(key);
        let exact = names.iter().position(|name| is(name, key));
        exact.or_else(|| {
            let bare = [":", "$", "@"].map(|sign| format!("{sign}{key}"));
            let bare = bare.iter().find_map(|key| names.iter().position(|name| is(name, key)));
            bare.filter(|_| is_on(options, "bare"))
        })
    };
    let mut set = |at: usize, value: Datum| {
        statement.raw_bind_parameter(at + 1, Bound(value)).map_err(|error| fault(&error))
    };
    if let Datum::Record(fields) = &**named {
        for (key, value) in fields {
            match place(key) {
                Some(at) => set(at, value.clone())?,
                None if is_on(options, "unknown") => {}
                None => {
                    let message = format!("Unknown named parameter '{key}'");
                    return Err(Fault::new("ERR_INVALID_STATE", message));
                }
            }
        }
    }
    let mut free = names.iter().enumerate().filter(|(_, name)| name.is_none()).map(|(at, _)| at);
    for value in given {
        // One too many is for SQLite to refuse.
        set(free.next().unwrap_or(names.len()), value)?;
    }
    Ok(())
}

/// A parameter.
struct Bound(Datum);

impl ToSql for Bound {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match &self.0 {
            Datum::Undefined | Datum::Null => ToSqlOutput::Owned(Value::Null),
            Datum::Bool(flag) => ToSqlOutput::Owned(Value::Integer((*flag).into())),
            Datum::Number(number) if number.fract() == 0.0 && number.abs() <= SAFE as f64 => {
                ToSqlOutput::Owned(Value::Integer(*number as i64))
            }
            Datum::Number(number) => ToSqlOutput::Owned(Value::Real(*number)),
            Datum::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Datum::Bytes(bytes) => ToSqlOutput::Borrowed(ValueRef::Blob(bytes)),
            Datum::Held(bytes) => ToSqlOutput::Borrowed(ValueRef::Blob(bytes)),
            Datum::Record(fields) => {
                let digits = fields.iter().find(|(name, _)| name == BIG);
                let number = digits.and_then(|(_, digits)| digits.as_text()?.parse().ok());
                ToSqlOutput::Owned(number.map_or(Value::Null, Value::Integer))
            }
            // The library gives none.
            Datum::List(_) => ToSqlOutput::Owned(Value::Null),
        })
    }
}

fn datum(value: ValueRef<'_>, is_big: bool) -> Answer {
    Ok(match value {
        ValueRef::Null => Datum::Null,
        ValueRef::Integer(number) => integer(number, is_big)?,
        ValueRef::Real(number) => Datum::Number(number),
        ValueRef::Text(text) => Datum::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Datum::Bytes(bytes.to_vec()),
    })
}

fn integer(number: i64, is_big: bool) -> Answer {
    if is_big {
        return Ok(Datum::Record(vec![(BIG.to_owned(), Datum::Text(number.to_string()))]));
    }
    if number.unsigned_abs() > SAFE as u64 {
        let message =
            format!("Value is too large to be represented as a JavaScript number: {number}");
        return Err(Fault::new("ERR_OUT_OF_RANGE", message));
    }
    Ok(Datum::Number(number as f64))
}

/// What went wrong, with SQLite's number and words for it.
fn fault(error: &Error) -> Fault {
    let (code, message) = match error {
        Error::SqliteFailure(failure, message) => (failure.extended_code, message.clone()),
        Error::SqlInputError { error, msg, .. } => (error.extended_code, Some(msg.clone())),
        other => (ffi::SQLITE_ERROR, Some(other.to_string())),
    };
    let words = ffi::code_to_str(code);
    let message = message.unwrap_or_else(|| words.to_owned());
    let fault = Fault::new("ERR_SQLITE_ERROR", message);
    Fault { errno: code, syscall: words.into(), ..fault }
}
