// One post of the blog: its text in Markdown, its picture, when it is published, and what search engines show.
import { ImageField } from '#edge/pages/dashboard/image_field.tsx';
import {
  at,
  FormSheet,
  goAfterSave,
  type ScreenProps,
  type TextTable,
  textsOf,
  translationsOf,
  useCan,
  useForm,
  useFormats,
  useRecord,
  useTranslation,
  WhenLoaded,
} from '#edge/pages/dashboard/page.ts';
import { PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { LongTextField, TextField } from '#edge/pages/design/field.tsx';
import type { BlogPost, CreatePostRequest, DashboardApi } from '#proto/client/dashboard.ts';
import { ContentBadge, PublicationActions } from './publication.tsx';
import { Schedule } from './schedule.tsx';

interface PostDraft {
  readonly title: string;
  readonly slug: string;
  readonly excerpt: string;
  readonly body: string;
  readonly cover_image: string;
  readonly author: string;
  readonly tags: string;
  readonly seo_title: string;
  readonly seo_description: string;
  readonly translations: TextTable;
  /** The `updated_at` of the post that the draft began from; empty for a new one. */
  readonly version: string;
}

const EMPTY: PostDraft = {
  title: '',
  slug: '',
  excerpt: '',
  body: '',
  cover_image: '',
  author: '',
  tags: '',
  seo_title: '',
  seo_description: '',
  translations: {},
  version: '',
};

const LABELS: Readonly<Record<Exclude<keyof PostDraft, 'version'>, string>> = {
  title: 'Title',
  slug: 'Address',
  excerpt: 'Excerpt',
  body: 'Text',
  cover_image: 'Cover picture',
  author: 'Author',
  tags: 'Tags',
  seo_title: 'Title for search engines',
  seo_description: 'Description for search engines',
  translations: 'Texts in other languages',
};

const TEXTS = ['title', 'excerpt', 'body', 'seo_title', 'seo_description'];

const draftOf = (post: BlogPost): PostDraft => ({
  title: post.title,
  slug: post.slug,
  excerpt: post.excerpt ?? '',
  body: post.body,
  cover_image: post.cover_image ?? '',
  author: post.author ?? '',
  tags: post.tags.join(', '),
  seo_title: post.seo_title ?? '',
  seo_description: post.seo_description ?? '',
  translations: textsOf(post.translations, TEXTS),
  version: post.updated_at,
});

const tagsOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

const requestOf = ({ title, slug, body, tags, ...texts }: PostDraft): CreatePostRequest => ({
  title,
  body,
  tags: tagsOf(tags),
  translations: translationsOf(texts),
  ...(slug.trim() === '' ? {} : { slug: slug.trim() }),
  excerpt: texts.excerpt || null,
  cover_image: texts.cover_image || null,
  author: texts.author || null,
  seo_title: texts.seo_title || null,
  seo_description: texts.seo_description || null,
});

interface FormProps {
  readonly saved: PostDraft;
  readonly action: string;
  readonly write: (api: DashboardApi, draft: PostDraft) => Promise<{ readonly post: BlogPost }>;
  readonly reload?: (api: DashboardApi) => Promise<PostDraft>;
  readonly after: (post: BlogPost) => void;
}

const PostForm = ({ saved, action, write, reload, after }: FormProps) => {
  const can = useCan();
  const form = useForm({
    saved,
    save: write,
    done: 'The post is saved.',
    next: ({ post }) => ({ version: post.updated_at }),
    after: ({ post }) => after(post),
    ...(reload && { reload }),
  });
  const { text, languageField } = useTranslation(form);
  return (
    <FormSheet form={form} labels={LABELS} action={action} canSave={can('content:write')}>
      <Sheet title="Post">
        {languageField}
        <TextField label={LABELS.title} required {...text('title')} />
        <LongTextField label={LABELS.excerpt} rows={2} advice="Shown in lists." {...text('excerpt')} />
        <LongTextField label={LABELS.body} rows={16} advice="Markdown." {...text('body')} />
        <div class="columns">
          <TextField label={LABELS.author} {...form.field('author')} />
          <TextField label={LABELS.tags} advice="Separated by commas." {...form.field('tags')} />
        </div>
        <ImageField label={LABELS.cover_image} {...form.field('cover_image')} />
      </Sheet>
      <Sheet title="Search engines">
        <TextField label={LABELS.slug} advice="Empty: made from the title." {...form.field('slug')} />
        <TextField label={LABELS.seo_title} {...text('seo_title')} />
        <LongTextField label={LABELS.seo_description} rows={2} {...text('seo_description')} />
      </Sheet>
    </FormSheet>
  );
};

const UP = () => ({ label: 'Posts', to: at('content', { kind: 'posts' }) });

export const PostScreen = ({ params: { slug = '' } }: ScreenProps) => {
  const { moment } = useFormats();
  const loaded = useRecord((api) => api.blog.posts.get({ slug }), [slug]);
  return (
    <WhenLoaded loaded={loaded}>
      {({ post }) => (
        <div class="stack content">
          <PageHead title={post.title} up={UP()} badge={<ContentBadge status={post.status} />}>
            <PublicationActions
              noun="post"
              title={post.title}
              isPublished={post.status === 'published'}
              setStatus={(api, status) => api.blog.posts.update({ id: post.id, status })}
              remove={(api) => api.blog.posts.delete({ id: post.id })}
              refresh={loaded.refresh}
            />
          </PageHead>
          <p class="soft">
            {post.published_at !== null && post.status !== 'draft' && `Published ${moment(post.published_at)}. `}
            Edited {moment(post.updated_at)}.
          </p>
          <PostForm
            key={post.id}
            saved={draftOf(post)}
            action="Save"
            write={(api, draft) => api.blog.posts.update({ id: post.id, version: draft.version, ...requestOf(draft) })}
            reload={async (api) => draftOf((await api.blog.posts.get({ slug })).post)}
            after={(now) =>
              now.slug === slug
                ? loaded.set({ post: now })
                : goAfterSave(at(`content/posts/${now.slug}`), { replace: true })
            }
          />
          {post.status !== 'published' && <Schedule post={post} refresh={loaded.refresh} />}
        </div>
      )}
    </WhenLoaded>
  );
};

export const NewPost = () => (
  <div class="stack content">
    <PageHead title="New post" up={UP()} />
    <PostForm
      saved={EMPTY}
      action="Save as a draft"
      write={(api, draft) => api.blog.posts.create(requestOf(draft))}
      after={({ slug }) => goAfterSave(at(`content/posts/${slug}`))}
    />
  </div>
);
