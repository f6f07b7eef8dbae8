// A loop that awaits a value.
const COUNT = 1e6;
async function main() {
  const start = performance.now();
  for (let i = 0; i < COUNT; i++) await i;
  console.log(JSON.stringify({ ms: performance.now() - start, ops: COUNT }));
}
main();
