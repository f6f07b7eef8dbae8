import { EOL } from 'os';

class Shape {
  constructor(private readonly side: number) {}
  area() { return this.side ** 2 + EOL.length - 1 }
}
namespace Shape { export const unit = 'm' }
export = Shape;
