// Dialogs over the tree of categories: a name, a description and a place; and the question before a deletion.
import {
  FormSheet,
  ProblemNote,
  type TextTable,
  textsOf,
  translationsOf,
  useForm,
  useTranslation,
  useWrite,
} from '#edge/pages/dashboard/page.ts';
import { Confirm, Dialog } from '#edge/pages/design/dialog.tsx';
import { LongTextField, SelectField, TextField } from '#edge/pages/design/field.tsx';
import type { DashboardApi, ProductCategory, ProductSubcategory } from '#proto/client/dashboard.ts';

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

interface CategoryDraft {
  readonly name: string;
  /** Empty for a subcategory, which has none. */
  readonly description: string;
  readonly translations: TextTable;
  /** Empty: at the top. */
  readonly parent: string;
  /** The `updated_at` of the category that the draft began from; empty for a new one. */
  readonly version: string;
}

const LABELS = { name: 'Name', description: 'Description', translations: 'Texts in other languages', parent: 'Below' };

const draftOf = (tree: readonly ProductCategory[], category: AnyCategory): CategoryDraft => ({
  name: category.name,
  description: (isTop(category) && category.description) || '',
  translations: textsOf(category.translations, ['name', 'description']),
  parent: parentOf(tree, category)?.id ?? '',
  version: category.updated_at,
});

/** Null: it is gone. */
const reloadDraft = async (api: DashboardApi, id: string): Promise<CategoryDraft | null> => {
  const { categories } = await api.categories.list();
  const all = categories.flatMap((top): readonly AnyCategory[] => [top, ...top.subcategories]);
  const found = all.find((each) => each.id === id);
  return found ? draftOf(categories, found) : null;
};

export const NameDialog = ({ tree, asked, close, saved }: NameDialogProps) => {
  const before = asked.kind === 'edit' ? asked.category : null;
  const above = asked.kind === 'create' ? asked.parent : null;
  const hasDescription = before === null || isTop(before);
  const form = useForm({
    saved: before
      ? draftOf(tree, before)
      : { name: '', description: '', translations: {}, parent: above?.id ?? '', version: '' },
    save: (api, { name, description, translations, parent, version }) => {
      const request = {
        name: name.trim(),
        translations: translationsOf({ translations }),
        ...(hasDescription && { description: description.trim() || null }),
        parent_id: parent || null,
      };
      return before ? api.categories.update({ id: before.id, version, ...request }) : api.categories.create(request);
    },
    done: 'The category is saved.',
    ...(before && { reload: (api: DashboardApi) => reloadDraft(api, before.id) }),
    after: saved,
  });
  const { text, languageField } = useTranslation(form);
  const title = before ? 'Category' : above ? `New in ${above.name}` : 'New category';
  return (
    <Dialog title={title} close={close}>
      <FormSheet form={form} labels={LABELS} nameOf={(id) => tree.find((each) => each.id === id)?.name} close={close}>
        {languageField}
        <TextField label="Name" required {...text('name')} />
        {hasDescription && <LongTextField label="Description" {...text('description')} />}
        <SelectField
          label="Below"
          options={[
            { value: '', label: 'No other: at the top' },
            ...tree.filter(({ id }) => id !== before?.id).map(({ id, name: label }) => ({ value: id, label })),
          ]}
          {...form.field('parent', 'parent_id')}
        />
      </FormSheet>
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
