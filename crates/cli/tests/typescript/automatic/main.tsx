const show = (x: any) => console.log(JSON.stringify(x));
function Comp(p: any) { return p } const ns = { a: { B: Comp } }; const p = { q: 1, key: 'k' }; const items = [1, 2];
show(<div />); show(<div></div>); show(<Comp a="1" b={2} c d='x "y"' {...p} e={<b/>} f=<i/> />);
show(<ns.a.B>text</ns.a.B>); show(<a-b data-x="1" aria-label={'y'} xlink:href="z" />); show(<svg:rect />);
show(<>
  one  two
  three {1 + 1} {/* nothing */}
  {'s'} <b>x</b>   {items.map((i) => <li key={i}>{i}</li>)}
</>);
show(<p>&nbsp;&amp;&copy;&#65;&#x42;&unknown; &lt;tag&gt; "quoted" \n {"\n"}</p>);
show(<p title="a&quot;b&nbsp;c \n d
  e">  </p>);
show(<p>
  a

  b
</p>); show(<p> a </p>); show(<p>{}</p>); show(<p>{...items}</p>); show(<p>{1}{2}</p>);
show(<div {...p} key="after" id="1">x{1}</div>); show(<div key={`a${1}`} {...p}>x</div>); show(<div key="k" />); show(<div key />);
show(<Comp<string> x={1 as number} y={<T,>(a: T) => a} // comment
  /* other */ z />);
const cond = true; show(<b>{cond ? <i>1</i> : null}{cond && <u/>}</b>);
show(<div __proto__={1} />);
class K { tag = Comp; render() { return <this.tag a={1}>{this.tag.name}</this.tag> } } show(new K().render());
const nested = <div onClick={async () => { await 1; return <b/> }}>{(() => { return (<span>{[1].map(x => <i key={x}>{x}</i>)}</span>) })()}</div>; show(nested);
