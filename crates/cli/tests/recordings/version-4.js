// A program of a fleet that was started again after 18 s, when performance.now() counted from the beginning of the fleet.
console.log(Math.round(performance.now() / 1000), Math.round(process.uptime()), Math.round(performance.timeOrigin));
setTimeout(() => console.log(Math.round(performance.now() / 1000)), 12_000);
