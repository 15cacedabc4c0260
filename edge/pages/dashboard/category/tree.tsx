// The categories as a tree of two levels: named in place, put in order by dragging, added and deleted.
import { useState } from 'preact/hooks';
import { at, ProblemNote, useCan, useFormats, useRecord, useWrite, WhenLoaded } from '#edge/pages/dashboard/page.ts';
import { Button, IconButton } from '#edge/pages/design/button.tsx';
import { Confirm, Dialog } from '#edge/pages/design/dialog.tsx';
import { Empty, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { DragList } from '#edge/pages/design/drag_list.tsx';
import { LongTextField, TextField } from '#edge/pages/design/field.tsx';
import type { ProductCategory, ProductSubcategory } from '#proto/client/dashboard.ts';
import { movedItem } from './order.ts';

type AnyCategory = ProductCategory | ProductSubcategory;

const isTop = (category: AnyCategory): category is ProductCategory => 'subcategories' in category;

type Asked =
  | { readonly kind: 'create'; readonly parent: ProductCategory | null }
  | { readonly kind: 'edit'; readonly category: AnyCategory }
  | { readonly kind: 'delete'; readonly category: AnyCategory };

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
    <div class="row between">
      <span>
        <b>{name}</b>{' '}
        <a class="soft" href={at('products', { category: id })}>
          {number(product_count)} products
        </a>
      </span>
      {can('catalog:write') && (
        <span class="row">
          {top && <IconButton icon="add" label={`Add to ${name}`} press={() => ask({ kind: 'create', parent: top })} />}
          <Button tone="quiet" press={() => ask({ kind: 'edit', category })}>
            Rename<span class="unseen"> {name}</span>
          </Button>
          <IconButton icon="remove" label={`Delete ${name}`} press={() => ask({ kind: 'delete', category })} />
        </span>
      )}
    </div>
  );
};

interface NameDialogProps {
  readonly asked: Exclude<Asked, { readonly kind: 'delete' }>;
  readonly close: () => void;
  readonly saved: () => void;
}

const NameDialog = ({ asked, close, saved }: NameDialogProps) => {
  const before = asked.kind === 'edit' ? asked.category : null;
  const hasDescription = before === null || isTop(before);
  const [name, setName] = useState(before?.name ?? '');
  const [description, setDescription] = useState((before && isTop(before) && before.description) || '');
  const write = useWrite();
  const save = async (): Promise<void> => {
    const fields = { name: name.trim(), ...(hasDescription ? { description: description.trim() || null } : {}) };
    const done = `${fields.name} is saved.`;
    const answer = await write.run(
      (api) =>
        asked.kind === 'edit'
          ? api.categories.update({ id: asked.category.id, ...fields })
          : api.categories.create({ ...fields, parent_id: asked.parent?.id ?? null }),
      { done },
    );
    if (answer) saved();
  };
  const { problem } = write;
  const title = asked.kind === 'edit' ? 'Category' : asked.parent ? `New in ${asked.parent.name}` : 'New category';
  return (
    <Dialog title={title} close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField
          label="Name"
          required
          value={name}
          change={setName}
          problem={problem?.param === 'name' ? problem.message : undefined}
        />
        {hasDescription && <LongTextField label="Description" value={description} change={setDescription} />}
        <ProblemNote problem={problem?.param === 'name' ? null : problem} />
        <div class="buttons">
          <Button press={close}>Back</Button>
          <Button submits tone="primary" busy={write.busy}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

const DeleteDialog = ({
  category,
  close,
  deleted,
}: {
  readonly category: AnyCategory;
  readonly close: () => void;
  readonly deleted: () => void;
}) => {
  const write = useWrite();
  const { id, name } = category;
  const below = isTop(category) ? category.subcategories.length : 0;
  const confirm = async (): Promise<void> => {
    const answer = await write.run((api) => api.categories.delete({ id }), { done: `${name} is deleted.` });
    if (answer) deleted();
  };
  return (
    <Confirm
      title={`Delete ${name}?`}
      action="Delete the category"
      busy={write.busy}
      confirm={() => void confirm()}
      close={close}
    >
      <p>
        {below > 0 && `Its ${below} subcategories go with it. `}Its products stay, without a category. It cannot be
        brought back.
      </p>
      <ProblemNote problem={write.problem} />
    </Confirm>
  );
};

interface TreeProps {
  readonly tree: readonly ProductCategory[];
  readonly show: (tree: readonly ProductCategory[]) => void;
  readonly refresh: () => void;
}

const Tree = ({ tree, show, refresh }: TreeProps) => {
  const can = useCan();
  const write = useWrite(refresh);
  const [asked, ask] = useState<Asked | null>(null);
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
  const moveTop = (after: readonly ProductCategory[]): void => {
    show(after);
    place(tree, after);
  };
  const moveBelow = (top: ProductCategory, after: readonly ProductSubcategory[]): void => {
    show(tree.map((each) => (each === top ? { ...top, subcategories: after } : each)));
    place(top.subcategories, after);
  };
  const isEditable = can('catalog:write');
  return (
    <div class="stack categories">
      <PageHead title="Categories">
        {isEditable && (
          <Button tone="primary" icon="add" press={() => ask({ kind: 'create', parent: null })}>
            New category
          </Button>
        )}
      </PageHead>
      <ProblemNote problem={write.problem} />
      <Sheet>
        {tree.length === 0 && <Empty title="No category yet" icon="product" />}
        <DragList
          label="Categories in order"
          items={tree}
          idOf={({ id }) => id}
          nameOf={({ name }) => name}
          move={moveTop}
        >
          {(top) => (
            <div class="stack">
              <CategoryRow category={top} ask={ask} />
              {top.subcategories.length > 0 && (
                <DragList
                  label={`In ${top.name}, in order`}
                  items={top.subcategories}
                  idOf={({ id }) => id}
                  nameOf={({ name }) => name}
                  move={(after) => moveBelow(top, after)}
                >
                  {(child) => <CategoryRow category={child} ask={ask} />}
                </DragList>
              )}
            </div>
          )}
        </DragList>
      </Sheet>
      {asked?.kind === 'delete' && <DeleteDialog category={asked.category} close={close} deleted={changed} />}
      {asked && asked.kind !== 'delete' && <NameDialog asked={asked} close={close} saved={changed} />}
    </div>
  );
};

export const CategoryScreen = () => {
  const loaded = useRecord(async (api) => (await api.categories.list()).categories, []);
  return (
    <WhenLoaded loaded={loaded}>{(tree) => <Tree tree={tree} show={loaded.set} refresh={loaded.refresh} />}</WhenLoaded>
  );
};
