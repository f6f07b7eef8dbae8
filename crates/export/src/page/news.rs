//! What is new of a run that goes on: a page that has seen some of it is sent the rest.
//!
//! Of what a page was sent only a print is kept: its lists in pieces, each by a hash. A piece that changed is sent, the
//! others are not. Most of a run only grows; what changes in it, such as a timer that is cleared, is in few pieces.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// How many items of a list are a piece.
const PIECE: usize = 64;

/// What a page was sent, as far as it takes to tell what is new.
#[derive(Clone, Debug)]
pub struct Print(Shape);

#[derive(Clone, Debug)]
enum Shape {
    /// The hash of a value that is sent as a whole.
    Whole(u64),
    /// The length of a text in bytes, and its hash.
    Text(usize, u64),
    /// The length of a list, and the hashes of its pieces.
    List(usize, Vec<u64>),
    Object(BTreeMap<String, Shape>),
}

impl Print {
    /// The print of a value.
    pub fn of(value: &Value) -> Self {
        Self(Shape::of(value))
    }

    /// What makes that value of the one that this is the print of; null if they are the same. It is one of
    /// `["set", VALUE]`, `["text", REST]`, which goes on behind what was there,
    /// `["list", LENGTH, PIECE, [[NUMBER, ITEMS], …]]`, in which each piece has PIECE items but the last, and
    /// `["object", {NAME: NEWS, …}]`.
    pub fn news(&self, value: &Value) -> Value {
        self.0.news(value).unwrap_or(Value::Null)
    }
}

impl Shape {
    fn of(value: &Value) -> Self {
        match value {
            Value::String(text) => Self::Text(text.len(), hash(text.as_bytes())),
            Value::Array(items) => Self::List(items.len(), items.chunks(PIECE).map(hash).collect()),
            Value::Object(fields) => Self::Object(
                fields.iter().map(|(name, value)| (name.clone(), Self::of(value))).collect(),
            ),
            Value::Null | Value::Bool(_) | Value::Number(_) => Self::Whole(hash(value)),
        }
    }

    fn news(&self, value: &Value) -> Option<Value> {
        match (self, value) {
            (Self::Whole(known), Value::Null | Value::Bool(_) | Value::Number(_)) => {
                (*known != hash(value)).then(|| json!(["set", value]))
            }
            (Self::Text(length, known), Value::String(text)) => match text.get(..*length) {
                Some(before) if *known == hash(before.as_bytes()) => {
                    let rest = &text[*length..];
                    (!rest.is_empty()).then(|| json!(["text", rest]))
                }
                _ => Some(json!(["set", text])),
            },
            (Self::List(length, known), Value::Array(items)) => {
                let pieces = items.chunks(PIECE).enumerate();
                let changed =
                    pieces.filter(|(number, piece)| known.get(*number) != Some(&hash(piece)));
                let changed: Vec<Value> =
                    changed.map(|(number, piece)| json!([number, piece])).collect();
                let is_same = changed.is_empty() && *length == items.len();
                (!is_same).then(|| json!(["list", items.len(), PIECE, changed]))
            }
            (Self::Object(known), Value::Object(fields)) if known.keys().eq(sorted(fields)) => {
                let news = fields.iter().filter_map(|(name, value)| {
                    Some((name.clone(), known.get(name)?.news(value)?))
                });
                let news: Map<String, Value> = news.collect();
                (!news.is_empty()).then(|| json!(["object", news]))
            }
            _ => Some(json!(["set", value])),
        }
    }
}

fn sorted(fields: &Map<String, Value>) -> impl Iterator<Item = &String> {
    let mut names: Vec<&String> = fields.keys().collect();
    names.sort_unstable();
    names.into_iter()
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a page makes of news, as `viewer/src/live.ts` does.
    fn told(before: &Value, news: &Value) -> Value {
        let Some(parts) = news.as_array() else { return before.clone() };
        match parts[0].as_str() {
            Some("set") => parts[1].clone(),
            Some("text") => {
                json!(format!("{}{}", before.as_str().unwrap(), parts[1].as_str().unwrap()))
            }
            Some("list") => {
                let [length, piece] = [1, 2].map(|at| parts[at].as_u64().unwrap() as usize);
                let mut items = before.as_array().unwrap().clone();
                items.resize(length, Value::Null);
                for changed in parts[3].as_array().unwrap() {
                    let start = changed[0].as_u64().unwrap() as usize * piece;
                    for (at, item) in changed[1].as_array().unwrap().iter().enumerate() {
                        items[start + at] = item.clone();
                    }
                }
                Value::Array(items)
            }
            _ => {
                let mut all = before.as_object().unwrap().clone();
                for (name, news) in parts[1].as_object().unwrap() {
                    all[name] = told(&before[name], news);
                }
                Value::Object(all)
            }
        }
    }

    fn check(before: &Value, after: &Value) -> Value {
        let news = Print::of(before).news(after);
        assert_eq!(told(before, &news), *after, "{news}");
        news
    }

    #[test]
    fn what_grows_is_sent_from_where_it_grew() {
        let before =
            json!({ "name": "a", "kind": "mtt", "at": (0..1_000).collect::<Vec<_>>(), "n": null });
        let mut after = before.clone();
        assert_eq!(check(&before, &after), Value::Null);
        after["kind"] = json!("mtttp");
        after["at"].as_array_mut().unwrap().push(json!(1_000));
        let news = check(&before, &after);
        assert_eq!(news[1]["kind"], json!(["text", "tp"]));
        assert_eq!(news[1]["at"][3].as_array().map(Vec::len), Some(1));
        assert_eq!(news[1].as_object().map(Map::len), Some(2));
    }

    #[test]
    fn what_changed_within_is_sent_too() {
        let before =
            json!({ "cleared": vec![-1; 500], "spent": null, "text": "für", "gone": [1, 2, 3] });
        let mut after = before.clone();
        after["cleared"][70] = json!(7);
        after["spent"] = json!([1, 2]);
        after["text"] = json!("fü");
        after["gone"] = json!([1]);
        let news = check(&before, &after);
        assert_eq!(news[1]["cleared"][3].as_array().map(Vec::len), Some(1));
        check(&json!({ "a": 1 }), &json!({ "b": 1 }));
        check(&json!([]), &json!({ "b": 1 }));
    }
}
