class Maker {
  get late() {
    return 'inherited';
  }
}
module.exports = new Maker();
