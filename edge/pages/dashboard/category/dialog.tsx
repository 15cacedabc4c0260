// Dialogs over the tree of categories: a name, a description and a place; and the question before a deletion.
import { useState } from 'preact/hooks';
import { ProblemNote, problemAt, useWrite } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Confirm, Dialog } from '#edge/pages/design/dialog.tsx';
import { LongTextField, SelectField, TextField } from '#edge/pages/design/field.tsx';
import type { ProductCategory, ProductSubcategory } from '#proto/client/dashboard.ts';

export type AnyCategory = ProductCategory | ProductSubcategory;

export const isTop = (category: AnyCategory): category is ProductCategory => 'subcategories' in category;

export type Asked =
  | { readonly kind: 'create'; readonly parent: ProductCategory | null }
  | { readonly kind: 'edit'; readonly category: AnyCategory }
  | { readonly kind: 'delete'; readonly category: AnyCategory };

/** The category above; null at the top. */
export const parentOf = (tree: readonly ProductCategory[], { id }: AnyCategory): ProductCategory | null =>
  tree.find(({ subcategories }) => subcategories.some((child) => child.id === id)) ?? null;

interface NameDialogProps {
  readonly tree: readonly ProductCategory[];
  readonly asked: Exclude<Asked, { readonly kind: 'delete' }>;
  readonly close: () => void;
  readonly saved: () => void;
}

export const NameDialog = ({ tree, asked, close, saved }: NameDialogProps) => {
  const before = asked.kind === 'edit' ? asked.category : null;
  const hasDescription = before === null || isTop(before);
  const [name, setName] = useState(before?.name ?? '');
  const [description, setDescription] = useState((before && isTop(before) && before.description) || '');
  const above = before ? (parentOf(tree, before)?.id ?? '') : (asked.kind === 'create' && asked.parent?.id) || '';
  const [parent, setParent] = useState(above);
  const write = useWrite();
  const save = async (): Promise<void> => {
    const place = parent === above && before ? {} : { parent_id: parent === '' ? null : parent };
    const fields = { name: name.trim(), ...(hasDescription ? { description: description.trim() || null } : {}) };
    const done = `${fields.name} is saved.`;
    const answer = await write.run(
      (api) =>
        asked.kind === 'edit'
          ? api.categories.update({ id: asked.category.id, ...fields, ...place })
          : api.categories.create({ ...fields, ...place }),
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
        <SelectField
          label="Below"
          options={[
            { value: '', label: 'No other: at the top' },
            ...tree.filter(({ id }) => id !== before?.id).map(({ id, name: label }) => ({ value: id, label })),
          ]}
          value={parent}
          change={setParent}
          problem={problemAt(problem, 'parent_id')}
        />
        <ProblemNote problem={problem?.param === 'name' || problem?.param === 'parent_id' ? null : problem} />
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

export const DeleteDialog = ({
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
