//! Paths as texts.

/// The directories of packages that are seen from a directory.
pub(super) fn node_modules(directory: &str) -> impl Iterator<Item = String> {
    let above =
        std::iter::successors(Some(directory), |path| (!path.is_empty()).then(|| parent(path)));
    above.filter(|path| !path.ends_with("/node_modules")).map(|path| format!("{path}/node_modules"))
}

/// The directory of a path, without a slash at its end; empty for the root.
pub(super) fn parent(path: &str) -> &str {
    path.rfind('/').map_or("", |end| &path[..end])
}

/// A path without `.`, `..` and doubled slashes.
pub(super) fn normalize(path: &str) -> String {
    let mut segments: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop();
            }
            segment => segments.push(segment),
        }
    }
    format!("/{}", segments.join("/"))
}

/// The way from a directory to a file.
pub(super) fn relative(directory: &str, file: &str) -> String {
    let from: Vec<&str> = directory.split('/').collect();
    let to: Vec<&str> = file.split('/').collect();
    let common = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
    let up = std::iter::repeat_n("..", from.len() - common);
    up.chain(to[common..].iter().copied()).collect::<Vec<_>>().join("/")
}
