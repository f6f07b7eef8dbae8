import { sep } from 'path';
{
  const module = `inner${sep}`;
  console.log(module);
}
const own = (__dirname: string) => __dirname.length;
export default own;
