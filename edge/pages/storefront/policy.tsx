// Screen of one of the store's policies.
import { useRequest } from './answer.ts';
import type { OpenShop } from './client.ts';
import { LoadingOrError } from './component.tsx';
import { markdownHtml } from './markdown.ts';
import { RichText } from './rich_text.tsx';
import { useWords } from './wording_context.ts';

interface PolicyProps {
  readonly shop: OpenShop;
  readonly name: string;
}

const TYPES = ['terms', 'privacy', 'returns', 'shipping', 'refund'] as const;

export const PolicyScreen = ({ shop, name }: PolicyProps) => {
  const { text } = useWords();
  const answer = useRequest(
    async () => {
      const type = TYPES.find((each) => each === name);
      return type ? (await shop.api.store.policies.get({ type })).policy : null;
    },
    [name],
    `policies/${name}`,
  );
  if (answer.value === null)
    return answer.busy || answer.problem ? <LoadingOrError {...answer} /> : <h1>{text('no_policy')}</h1>;
  return (
    <article class="narrow policy">
      <h1>{answer.value.title}</h1>
      <RichText text={markdownHtml(answer.value.body)} />
    </article>
  );
};
