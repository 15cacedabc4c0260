// One lookbook: its texts, and its pictures with hotspots that lead to products.
import { useState } from 'preact/hooks';
import { ImageField } from '#edge/pages/dashboard/image_field.tsx';
import {
  at,
  FormSheet,
  goAfterSave,
  problemAt,
  type ScreenForm,
  type ScreenProps,
  useCan,
  useForm,
  useRecord,
  useTranslation,
  useWrite,
  WhenLoaded,
} from '#edge/pages/dashboard/page.ts';
import { Empty, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { DragList } from '#edge/pages/design/drag_list.tsx';
import { LongTextField, TextField } from '#edge/pages/design/field.tsx';
import { FileDrop } from '#edge/pages/design/file_drop.tsx';
import type { DashboardApi, StoreLookbook } from '#proto/client/dashboard.ts';
import { PictureEditor, type ProductNames } from './hotspot.tsx';
import { type DraftImage, draftOf, EMPTY_LOOKBOOK, type LookbookDraft, requestOf } from './lookbook_draft.ts';
import { ContentBadge, PublicationActions } from './publication.tsx';

const LABELS: Readonly<Record<Exclude<keyof LookbookDraft, 'version'>, string>> = {
  title: 'Title',
  slug: 'Address',
  description: 'Description',
  featured_image: 'Title picture',
  images: 'Pictures',
  translations: 'Texts in other languages',
};

interface PicturesProps {
  readonly form: ScreenForm<LookbookDraft>;
  readonly products: ProductNames;
  /** Language of the hotspots' labels; empty for the default one. */
  readonly language: string;
}

const Pictures = ({ form, products, language }: PicturesProps) => {
  const isEditable = useCan()('content:write');
  const upload = useWrite();
  const { images } = form.draft;
  const set = (next: readonly DraftImage[]): void => form.set({ images: next });
  const take = async (files: readonly File[]): Promise<void> => {
    const added: DraftImage[] = [];
    for (const file of files) {
      const answer = await upload.run((api) => api.media.upload({ file }));
      if (!answer) break;
      added.push({ url: answer.media.url, hotspots: [] });
    }
    if (added.length > 0) set([...images, ...added]);
  };
  const place = (image: DraftImage): number => images.findIndex(({ url }) => url === image.url);
  const refusal = upload.problem?.message ?? problemAt(form.problem, 'images');
  return (
    <Sheet title="Pictures">
      <DragList
        label="Pictures in order"
        items={images}
        idOf={({ url }) => url}
        nameOf={(image) => `picture ${place(image) + 1}`}
        move={set}
      >
        {(image) => (
          <PictureEditor
            number={place(image) + 1}
            image={image}
            change={(next) => set(images.map((each) => (each.url === image.url ? next : each)))}
            remove={() => set(images.filter(({ url }) => url !== image.url))}
            products={products}
            language={language}
            refusalAt={(path) => problemAt(form.problem, `images[${place(image)}].${path}`)}
            isEditable={isEditable}
          />
        )}
      </DragList>
      {isEditable && (
        <FileDrop label="Pictures" accept="image/*" multiple busy={upload.busy} take={(files) => void take(files)} />
      )}
      {refusal && (
        <span class="refusal" role="alert">
          {refusal}
        </span>
      )}
    </Sheet>
  );
};

interface FormProps {
  readonly saved: LookbookDraft;
  readonly names: ReadonlyMap<string, string>;
  readonly action: string;
  readonly write: (api: DashboardApi, draft: LookbookDraft) => Promise<StoreLookbook>;
  readonly reload?: (api: DashboardApi) => Promise<LookbookDraft | null>;
  readonly after: (lookbook: StoreLookbook) => void;
}

const LookbookForm = ({ saved, names, action, write, reload, after }: FormProps) => {
  const can = useCan();
  const [known, setKnown] = useState(names);
  const form = useForm({
    saved,
    save: write,
    done: 'The lookbook is saved.',
    next: ({ updated_at }) => ({ version: updated_at }),
    after,
    ...(reload && { reload }),
  });
  const { language, text, languageField } = useTranslation(form);
  const products: ProductNames = {
    nameOf: (id) => known.get(id) ?? id,
    learn: (id, name) => setKnown(new Map(known).set(id, name)),
  };
  return (
    <FormSheet form={form} labels={LABELS} action={action} canSave={can('content:write')}>
      <Sheet title="Lookbook">
        {languageField}
        <TextField label={LABELS.title} required {...text('title')} />
        <LongTextField label={LABELS.description} {...text('description')} />
        <TextField label={LABELS.slug} advice="Empty: made from the title." {...form.field('slug')} />
      </Sheet>
      <Pictures form={form} products={products} language={language} />
      <Sheet title="Lists">
        <ImageField label={LABELS.featured_image} {...form.field('featured_image')} />
        <p class="soft">Without one, lists show the first picture.</p>
      </Sheet>
    </FormSheet>
  );
};

interface LoadedLookbook {
  readonly lookbook: StoreLookbook;
  readonly names: ReadonlyMap<string, string>;
}

const PAGE = 100;

const readNames = async (api: DashboardApi, { images }: StoreLookbook): Promise<ReadonlyMap<string, string>> => {
  const all = [...new Set(images.flatMap(({ hotspots }) => hotspots.map(({ product_id }) => product_id)))];
  const names = new Map<string, string>();
  for (let from = 0; from < all.length; from += PAGE) {
    const { products } = await api.products.list({ ids: all.slice(from, from + PAGE), limit: PAGE });
    for (const { id, name } of products) names.set(id, name);
  }
  return names;
};

/** Drafts are found in the list alone. */
const readLookbook = async (api: DashboardApi, id: string): Promise<LoadedLookbook | 'missing'> => {
  for await (const lookbook of api.lookbooks.list({ limit: PAGE }))
    if (lookbook.id === id) return { lookbook, names: await readNames(api, lookbook) };
  return 'missing';
};

const reloadLookbook = async (api: DashboardApi, id: string): Promise<LookbookDraft | null> => {
  const found = await readLookbook(api, id);
  return found === 'missing' ? null : draftOf(found.lookbook);
};

const up = () => ({ label: 'Lookbooks', to: at('content', { kind: 'lookbooks' }) });

export const LookbookScreen = ({ params: { id = '' } }: ScreenProps) => {
  const loaded = useRecord((api) => readLookbook(api, id), [id]);
  return (
    <WhenLoaded loaded={loaded}>
      {(found) =>
        found === 'missing' ? (
          <Empty title="There is no such lookbook" icon="picture" />
        ) : (
          <div class="stack content">
            <PageHead title={found.lookbook.title} up={up()} badge={<ContentBadge status={found.lookbook.status} />}>
              <PublicationActions
                noun="lookbook"
                title={found.lookbook.title}
                isPublished={found.lookbook.status === 'published'}
                setStatus={(api, status) => api.lookbooks.update({ id, status })}
                remove={(api) => api.lookbooks.delete({ id })}
                refresh={loaded.refresh}
              />
            </PageHead>
            <LookbookForm
              // A saved hotspot has an id, which the next save sends back.
              key={found.lookbook.images.flatMap(({ hotspots }) => hotspots.map((hotspot) => hotspot.id)).join()}
              saved={draftOf(found.lookbook)}
              names={found.names}
              action="Save"
              write={(api, draft) => api.lookbooks.update({ id, version: draft.version, ...requestOf(draft) })}
              reload={(api) => reloadLookbook(api, id)}
              after={loaded.refresh}
            />
          </div>
        )
      }
    </WhenLoaded>
  );
};

export const NewLookbook = () => (
  <div class="stack content">
    <PageHead title="New lookbook" up={up()} />
    <LookbookForm
      saved={EMPTY_LOOKBOOK}
      names={new Map()}
      action="Save as a draft"
      write={(api, draft) => api.lookbooks.create(requestOf(draft))}
      after={({ id }) => goAfterSave(at(`content/lookbooks/${id}`))}
    />
  </div>
);
