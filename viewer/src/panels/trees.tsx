// Both relations as trees: who attached whom, and who made whom able to run.

import { useState } from 'preact/hooks';
import { Layout } from '../layout';
import { useStore } from '../use';
import { To } from './details';

/** A node shows so many children before somebody asks for more. */
const MOST_CHILDREN = 40;
const OPEN_DEPTH = 4;

export function Trees() {
  const [store, state] = useStore('run', 'action');
  const { layout } = store;
  const path = (relation: 'link' | 'cause') =>
    new Set(state.action < 0 ? [] : [state.action, ...layout.run.chain(state.action, layout.run[relation])]);
  return (
    <div class="sheet trees">
      <Tree title="Linking context" hint="who attached it" relation="link" layout={layout} path={path('link')} />
      <Tree title="Causal context" hint="who made it able to run" relation="cause" layout={layout} path={path('cause')} />
    </div>
  );
}

function Tree(props: { title: string; hint: string; relation: 'link' | 'cause'; layout: Layout; path: Set<number> }) {
  const { roots } = props.layout.run;
  return (
    <section class={`tree tree-${props.relation}`} aria-label={props.title}>
      <h3>{props.title} <small>{props.hint}</small></h3>
      {props.layout.run.count > 0 && (
        <ul role="tree">{roots.map((root) => <Node key={root} {...props} action={root} depth={0} />)}</ul>
      )}
    </section>
  );
}

function Node(props: { relation: 'link' | 'cause'; layout: Layout; path: Set<number>; action: number; depth: number }) {
  const { relation, layout, path, action, depth } = props;
  const [store, state] = useStore('run', 'action');
  const { run } = layout;
  const children = (relation === 'link' ? run.links : run.causes).of(action);
  const small = run.count <= 200;
  const [asked, setAsked] = useState<boolean | null>(null);
  const [most, setMost] = useState(MOST_CHILDREN);
  const isOpen = asked ?? (small || depth < OPEN_DEPTH || path.has(action));
  const shown = isOpen ? [...children.subarray(0, most)] : [];
  // The path to what is selected is always there.
  if (isOpen) for (const child of children.subarray(most)) if (path.has(child)) shown.push(child);
  const isSelected = state.action === action && store.layout === layout;
  return (
    <li role="treeitem" aria-selected={isSelected} aria-expanded={children.length ? isOpen : undefined}>
      {children.length > 0 && (
        <button class="fold" aria-label={isOpen ? 'fold' : 'unfold'} onClick={() => setAsked(!isOpen)}>
          {isOpen ? '▾' : '▸'}
        </button>
      )}
      <span class={path.has(action) ? 'on-path' : ''}><To layout={layout} action={action} /></span>
      {!isOpen && children.length > 0 && <small> {children.length}</small>}
      {shown.length > 0 && (
        <ul role="group">
          {shown.map((child) => <Node key={child} {...props} action={child} depth={depth + 1} />)}
          {children.length > most && (
            <li>
              <button class="link" onClick={() => setMost(most * 5)}>{children.length - most} more</button>
            </li>
          )}
        </ul>
      )}
    </li>
  );
}
