//! Functions of the engine that change nothing.

/// Functions of the engine that change nothing, by what they have to be called with for that.
pub(super) const READERS: &str = "(() => {
    const of = (object, names) => names.split(' ').map((name) => object[name]);
    const size = (object) => Object.getOwnPropertyDescriptor(object, 'size').get;
    return [
        [...of(Map.prototype, 'get has'), ...of(Set.prototype, 'has'), ...of(WeakMap.prototype, 'get has'),
            ...of(WeakSet.prototype, 'has'), size(Map.prototype), size(Set.prototype)],
        of(String.prototype, 'includes startsWith endsWith indexOf lastIndexOf slice substring charAt ' +
            'charCodeAt codePointAt at trim toLowerCase toUpperCase'),
        of(Array.prototype, 'includes indexOf lastIndexOf at'),
        [...of(Math, 'abs floor ceil round trunc min max sqrt sign pow'),
            ...of(Number, 'isInteger isSafeInteger isFinite isNaN'), parseInt, parseFloat, isNaN, isFinite,
            String, Number, Boolean, Array.isArray],
    ];
})()";

/// What a function that changes nothing has to be called with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reader {
    /// On an object of its own class.
    OfObject,
    /// On a string, with primitive values.
    OfString,
    /// On an array.
    OfArray,
    /// With primitive values.
    Plain,
}

impl Reader {
    /// In the order of [`READERS`].
    pub(super) const ALL: [Self; 4] = [Self::OfObject, Self::OfString, Self::OfArray, Self::Plain];
}
