//! What programs are told that they run on.

use rquickjs::{Ctx, IntoJs, Object, Result};

/// The versions of everything that programs ask for by name, beginning with the one of Node that this stands in for.
///
/// Tools look there for Brotli before they ask for it or offer it.
pub const VERSIONS: [(&str, &str); 6] = [
    ("node", "20.20.2"),
    ("brotli", "9.1.1"),
    ("hemiola", env!("CARGO_PKG_VERSION")),
    ("modules", "115"),
    ("quickjs", "0.16.2"),
    ("unicode", "17.0"),
];

/// The processor, by Node's name for it.
const ARCH: &str = match std::env::consts::ARCH.as_bytes() {
    b"x86_64" => "x64",
    b"aarch64" => "arm64",
    b"x86" => "ia32",
    _ => std::env::consts::ARCH,
};

/// `about()`: `{ arch, versions }`.
pub(crate) fn about(ctx: Ctx<'_>) -> Result<Object<'_>> {
    let versions = Object::new(ctx.clone())?;
    for (name, version) in VERSIONS {
        versions.set(name, version.into_js(&ctx)?)?;
    }
    let about = Object::new(ctx)?;
    about.set("arch", ARCH)?;
    about.set("versions", versions)?;
    Ok(about)
}
