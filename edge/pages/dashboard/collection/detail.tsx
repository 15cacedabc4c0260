// One collection: its fields, and its products in the order in which the shop shows them.
import { useState } from 'preact/hooks';
import { ImageField } from '#edge/pages/dashboard/image_field.tsx';
import {
  at,
  FormSheet,
  go,
  goAfterSave,
  ProblemNote,
  type ScreenProps,
  type TextTable,
  textsOf,
  translationsOf,
  useCan,
  useForm,
  useRecord,
  useTranslation,
  useWrite,
  WhenLoaded,
} from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Confirm } from '#edge/pages/design/dialog.tsx';
import { Badge, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { CheckField, LongTextField, SelectField, TextField } from '#edge/pages/design/field.tsx';
import type { CreateCollectionRequest, ListedProduct, ProductCollection, ServerApi } from '#proto/client/dashboard.ts';
import { CollectionProducts, type LoadedCollection } from './member.tsx';

const TYPES = [
  { value: 'custom', label: 'Chosen by hand' },
  { value: 'featured_collections', label: 'Featured' },
  { value: 'new_arrivals', label: 'New arrivals' },
  { value: 'best_selling', label: 'Best selling' },
] as const;

interface CollectionDraft {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly collection_type: ProductCollection['collection_type'];
  readonly is_active: boolean;
  readonly show_on_homepage: boolean;
  readonly image: string;
  readonly image_mobile: string;
  readonly translations: TextTable;
  /** The `updated_at` of the collection that the draft began from; empty for a new one. */
  readonly version: string;
}

const LABELS: Readonly<Record<Exclude<keyof CollectionDraft, 'version'>, string>> = {
  name: 'Name',
  slug: 'Address',
  description: 'Description',
  collection_type: 'Kind',
  is_active: 'Shown in the shop',
  show_on_homepage: 'On the home page',
  image: 'Picture',
  image_mobile: 'Picture for telephones',
  translations: 'Texts in other languages',
};

const EMPTY: CollectionDraft = {
  name: '',
  slug: '',
  description: '',
  collection_type: 'custom',
  is_active: true,
  show_on_homepage: false,
  image: '',
  image_mobile: '',
  translations: {},
  version: '',
};

const draftOf = (collection: ProductCollection): CollectionDraft => ({
  name: collection.name,
  slug: collection.slug,
  description: collection.description,
  collection_type: collection.collection_type,
  is_active: collection.is_active,
  show_on_homepage: collection.show_on_homepage,
  image: collection.image ?? '',
  image_mobile: collection.image_mobile ?? '',
  translations: textsOf(collection.translations, ['name', 'description']),
  version: collection.updated_at,
});

const requestOf = ({
  image,
  image_mobile,
  slug,
  translations,
  version: _version,
  ...plain
}: CollectionDraft): CreateCollectionRequest => ({
  ...plain,
  translations: translationsOf({ translations }),
  ...(slug.trim() === '' ? {} : { slug: slug.trim() }),
  image: image || null,
  image_mobile: image_mobile || null,
});

interface FormProps {
  readonly saved: CollectionDraft;
  readonly action: string;
  readonly write: (api: ServerApi, draft: CollectionDraft) => Promise<{ readonly collection: ProductCollection }>;
  readonly reload?: (api: ServerApi) => Promise<CollectionDraft>;
  readonly after: (collection: ProductCollection) => void;
}

const CollectionForm = ({ saved, action, write, reload, after }: FormProps) => {
  const can = useCan();
  const form = useForm({
    saved,
    save: write,
    done: 'The collection is saved.',
    after: (answer) => after(answer.collection),
    ...(reload && { reload }),
  });
  const type = form.field('collection_type');
  const { text, languageField } = useTranslation(form);
  return (
    <FormSheet form={form} labels={LABELS} action={action} canSave={can('catalog:write')}>
      <Sheet>
        {languageField}
        <TextField label="Name" required {...text('name')} />
        <LongTextField label="Description" {...text('description')} />
        <div class="columns">
          <TextField label="Address" advice="Empty: made from the name." {...form.field('slug')} />
          <SelectField
            label="Kind"
            options={TYPES}
            {...type}
            change={(value) => {
              const chosen = TYPES.find((each) => each.value === value);
              if (chosen) type.change(chosen.value);
            }}
          />
        </div>
        <div class="row">
          <CheckField label="Shown in the shop" {...form.field('is_active')} />
          <CheckField label="On the home page" {...form.field('show_on_homepage')} />
        </div>
        <div class="columns">
          <ImageField label="Picture" {...form.field('image')} />
          <ImageField label="Picture for telephones" {...form.field('image_mobile')} />
        </div>
      </Sheet>
    </FormSheet>
  );
};

const Remove = ({ collection }: { readonly collection: ProductCollection }) => {
  const [asked, setAsked] = useState(false);
  const write = useWrite();
  const { id, name } = collection;
  const confirm = async (): Promise<void> => {
    const done = await write.run((api) => api.productCollections.delete({ id }), { done: `${name} is deleted.` });
    if (done) go(at('collections'));
  };
  return (
    <>
      <Button tone="danger" press={() => setAsked(true)}>
        Delete
      </Button>
      {asked && (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete the collection"
          busy={write.busy}
          confirm={() => void confirm()}
          close={() => setAsked(false)}
        >
          <p>Its products stay. The collection cannot be brought back.</p>
          <ProblemNote problem={write.problem} />
        </Confirm>
      )}
    </>
  );
};

const readCollection = async (api: ServerApi, id: string): Promise<LoadedCollection> => {
  const { collection } = await api.productCollections.get({ id });
  const products: ListedProduct[] = [];
  const members = api.products.list({ collection_id: collection.id, sort: 'collection', limit: 100 });
  for await (const product of members) products.push(product);
  return { collection, products };
};

export const CollectionScreen = ({ params: { id = '' } }: ScreenProps) => {
  const can = useCan();
  const loaded = useRecord((api) => readCollection(api, id), [id]);
  return (
    <WhenLoaded loaded={loaded}>
      {({ collection, products }) => (
        <div class="stack collections">
          <PageHead
            title={collection.name}
            up={{ label: 'Collections', to: at('collections') }}
            badge={!collection.is_active && <Badge>hidden</Badge>}
          >
            {can('catalog:write') && <Remove collection={collection} />}
          </PageHead>
          <CollectionProducts
            saved={{ collection, products }}
            reload={(api) => readCollection(api, collection.id)}
            after={loaded.set}
          />
          <CollectionForm
            key={collection.id}
            saved={draftOf(collection)}
            action="Save"
            write={(api, draft) =>
              api.productCollections.update({ id: collection.id, version: draft.version, ...requestOf(draft) })
            }
            reload={async (api) => draftOf((await api.productCollections.get({ id: collection.id })).collection)}
            after={(now) => loaded.set({ collection: now, products })}
          />
        </div>
      )}
    </WhenLoaded>
  );
};

export const NewCollection = () => (
  <div class="stack collections">
    <PageHead title="New collection" up={{ label: 'Collections', to: at('collections') }} />
    <CollectionForm
      saved={EMPTY}
      action="Create"
      write={(api, draft) => api.productCollections.create(requestOf(draft))}
      after={({ id }) => goAfterSave(at(`collections/${id}`))}
    />
  </div>
);
