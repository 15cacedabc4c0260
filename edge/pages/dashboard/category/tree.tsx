// The categories as a tree of two levels: put in order and moved by dragging, added, changed and deleted.
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  at,
  FilterBar,
  ProblemNote,
  SearchFilter,
  useCan,
  useFilters,
  useFormats,
  useRecord,
  useWrite,
  WhenLoaded,
} from '#edge/pages/dashboard/page.ts';
import { Button, IconButton } from '#edge/pages/design/button.tsx';
import { Empty, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { DragList } from '#edge/pages/design/drag_list.tsx';
import type { ProductCategory, ProductSubcategory } from '#proto/client/dashboard.ts';
import { type AnyCategory, type Asked, DeleteDialog, isTop, NameDialog, parentOf } from './dialog.tsx';
import { movedItem } from './order.ts';
import { searchTree } from './search.ts';

interface RowProps {
  readonly category: AnyCategory;
  readonly ask: (asked: Asked) => void;
}

const CategoryRow = ({ category, ask }: RowProps) => {
  const can = useCan();
  const { number } = useFormats();
  const { id, name, product_count } = category;
  const top = isTop(category) ? category : null;
  return (
    <div class="row between one-line">
      <span>
        <b>{name}</b>{' '}
        <a class="soft" href={at('products', { category: id })}>
          {number(product_count)} products
        </a>
      </span>
      {can('catalog:write') && (
        <span class="row one-line">
          {top && <IconButton icon="add" label={`Add to ${name}`} press={() => ask({ kind: 'create', parent: top })} />}
          <Button tone="quiet" press={() => ask({ kind: 'edit', category })}>
            Edit<span class="unseen"> {name}</span>
          </Button>
          <IconButton icon="remove" label={`Delete ${name}`} press={() => ask({ kind: 'delete', category })} />
        </span>
      )}
    </div>
  );
};

interface FoundProps {
  readonly tree: readonly ProductCategory[];
  readonly search: string;
  readonly ask: (asked: Asked) => void;
}

/** Found categories stand in no list that could be put in order: others are missing between them. */
const Found = ({ tree, search, ask }: FoundProps) => (
  <>
    {tree.length === 0 && <p class="soft">No category matches “{search}”.</p>}
    <ul class="found">
      {tree.map((top) => (
        <li key={top.id}>
          <CategoryRow category={top} ask={ask} />
          {top.subcategories.length > 0 && (
            <ul>
              {top.subcategories.map((child) => (
                <li key={child.id}>
                  <CategoryRow category={child} ask={ask} />
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  </>
);

interface TreeProps {
  readonly tree: readonly ProductCategory[];
  readonly show: (tree: readonly ProductCategory[]) => void;
  readonly refresh: () => void;
}

const Tree = ({ tree, show, refresh }: TreeProps) => {
  const can = useCan();
  const [query] = useFilters();
  const search = query.get('search') ?? '';
  const write = useWrite(refresh);
  const [asked, ask] = useState<Asked | null>(null);
  const focused = useRef<string | null>(null);
  // Another list draws the moved item, so its new handle gets the focus.
  useEffect(() => {
    if (focused.current) document.querySelector<HTMLElement>(`.categories [data-item="${focused.current}"]`)?.focus();
    focused.current = null;
  }, [tree]);
  const close = (): void => ask(null);
  const changed = (): void => {
    close();
    refresh();
  };
  const place = (before: readonly AnyCategory[], after: readonly AnyCategory[]): void => {
    const moved = movedItem(
      before.map(({ id }) => id),
      after.map(({ id }) => id),
    );
    if (moved) void write.run((api) => api.categories.update(moved), { done: 'The order is saved.' });
  };
  /** Leaves the order as it is during another write: a screen may not show an order that is not saved. */
  const moveTop = (after: readonly ProductCategory[]): void => {
    if (write.busy) return;
    show(after);
    place(tree, after);
  };
  const moveBelow = (top: ProductCategory, after: readonly ProductSubcategory[]): void => {
    if (write.busy) return;
    show(tree.map((each) => (each === top ? { ...top, subcategories: after } : each)));
    place(top.subcategories, after);
  };
  /** Moves a category below another one or to the top; the undo puts it back to its place. */
  const nest = async (category: AnyCategory, parent: ProductCategory | null, position?: number): Promise<void> => {
    const from = parentOf(tree, category);
    const siblings: readonly AnyCategory[] = from ? from.subcategories : tree;
    const back = { parent_id: from?.id ?? null, position: siblings.findIndex(({ id }) => id === category.id) + 1 };
    const { id, name } = category;
    const answer = await write.run(
      (api) => api.categories.update({ id, parent_id: parent?.id ?? null, ...(position ? { position } : {}) }),
      {
        done: parent ? `${name} is below ${parent.name}.` : `${name} is at the top.`,
        undo: async (api) => {
          await api.categories.update({ id, ...back });
          refresh();
        },
      },
    );
    focused.current = answer ? id : null;
    refresh();
  };
  const shiftTop = (top: ProductCategory, side: string, order: readonly ProductCategory[]): void => {
    const above = order[order.indexOf(top) - 1];
    if (side === 'right' && above) void nest(top, above);
  };
  const shiftBelow = (parent: ProductCategory, child: ProductSubcategory, side: string): void => {
    if (side === 'left') void nest(child, null, tree.indexOf(parent) + 2);
  };
  const dropOn = (child: ProductSubcategory, target: string): void => {
    const parent = tree.find(({ id }) => id === target);
    if (parent) void nest(child, parent);
  };
  const isEditable = can('catalog:write');
  return (
    <div class="stack categories" aria-busy={write.busy}>
      <PageHead title="Categories">
        {isEditable && (
          <Button tone="primary" icon="add" press={() => ask({ kind: 'create', parent: null })}>
            New category
          </Button>
        )}
      </PageHead>
      <FilterBar>
        <SearchFilter name="search" label="Search" placeholder="Name" />
      </FilterBar>
      <ProblemNote problem={write.problem} />
      <Sheet>
        {tree.length === 0 && <Empty title="No category yet" icon="product" />}
        {search !== '' && <Found tree={searchTree(tree, search)} search={search} ask={ask} />}
        {search === '' && (
          <DragList
            label="Categories in order"
            items={tree}
            idOf={({ id }) => id}
            nameOf={({ name }) => name}
            move={moveTop}
            shift={shiftTop}
          >
            {(top) => (
              <div class="stack" data-drop={top.id}>
                <CategoryRow category={top} ask={ask} />
                {top.subcategories.length > 0 && (
                  <DragList
                    label={`In ${top.name}, in order`}
                    items={top.subcategories}
                    idOf={({ id }) => id}
                    nameOf={({ name }) => name}
                    move={(after) => moveBelow(top, after)}
                    shift={(child, side) => shiftBelow(top, child, side)}
                    dropOn={dropOn}
                  >
                    {(child) => <CategoryRow category={child} ask={ask} />}
                  </DragList>
                )}
              </div>
            )}
          </DragList>
        )}
      </Sheet>
      {asked?.kind === 'delete' && <DeleteDialog category={asked.category} close={close} deleted={changed} />}
      {asked && asked.kind !== 'delete' && <NameDialog tree={tree} asked={asked} close={close} saved={changed} />}
    </div>
  );
};

export const CategoryScreen = () => {
  const loaded = useRecord(async (api) => (await api.categories.list()).categories, []);
  return (
    <WhenLoaded loaded={loaded}>{(tree) => <Tree tree={tree} show={loaded.set} refresh={loaded.refresh} />}</WhenLoaded>
  );
};
