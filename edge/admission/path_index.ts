// Finds the endpoint that a request line names, before anything has read the request: a tree of the paths' segments.

interface Node<V> {
  readonly next: Map<string, Node<V>>;
  /** A segment that may be anything. */
  any: Node<V> | null;
  readonly verbs: Map<string, V>;
}

const newNode = <V>(): Node<V> => ({ next: new Map(), any: null, verbs: new Map() });

export class PathIndex<V> {
  readonly #root = newNode<V>();

  add(verb: string, path: string, value: V): void {
    let node = this.#root;
    for (const segment of path.split('/').slice(1)) {
      let next = segment.startsWith(':') ? node.any : node.next.get(segment);
      if (!next) {
        next = newNode();
        if (segment.startsWith(':')) node.any = next;
        else node.next.set(segment, next);
      }
      node = next;
    }
    node.verbs.set(verb, value);
  }

  /** `target` is a path with its query; null where no endpoint is there. */
  find(verb: string, target: string): V | null {
    const query = target.indexOf('?');
    const path = query < 0 ? target : target.slice(0, query);
    let node: Node<V> | null = this.#root;
    for (let from = 1; node && from <= path.length; ) {
      const slash = path.indexOf('/', from);
      const end = slash < 0 ? path.length : slash;
      node = node.next.get(path.slice(from, end)) ?? node.any;
      from = end + 1;
    }
    return node?.verbs.get(verb === 'HEAD' ? 'GET' : verb) ?? null;
  }
}
