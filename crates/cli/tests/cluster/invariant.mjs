// Rules CLUS-3 to CLUS-5, as far as programs can see them.
const served = new Map();
let last = 0;
const dues = new Map();

export default function check({ value: { what, due, fence, reason } }) {
  if (what === 'start') {
    if (fence <= last) throw new Error(`fence ${fence} after ${last}`);
    last = fence;
    if (reason === 'due' && dues.has(due)) throw new Error(`due ${due} is started by ${dues.get(due)} and ${fence}`);
    dues.set(due, fence);
  } else if (what === 'success') {
    // Its end counted: nobody had a higher fence then.
    if (served.has(fence)) throw new Error(`run ${fence} ended twice`);
    served.set(fence, true);
  }
}
