// What keeps metadata, as far as it is needed here.
const kept = new WeakMap<object, Map<unknown, Map<string, unknown>>>();
const of = (target: object, key: unknown) => kept.get(target)?.get(key);
Object.assign(Reflect, {
  metadata: (name: string, value: unknown) => (target: object, key?: unknown) => {
    if (!kept.has(target)) kept.set(target, new Map());
    const keys = kept.get(target)!;
    if (!keys.has(key)) keys.set(key, new Map());
    keys.get(key)!.set(name, value);
  },
  hasMetadata: (name: string, target: object, key?: unknown) => of(target, key)?.has(name) ?? false,
  getMetadata: (name: string, target: object, key?: unknown) => of(target, key)?.get(name),
});
