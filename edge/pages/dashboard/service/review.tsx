// One review of a product, and its moderation.
import { useState } from 'preact/hooks';
import {
  at,
  ProblemNote,
  problemAt,
  type ScreenProps,
  useCan,
  useFormats,
  useRecord,
  useWrite,
  WhenLoaded,
} from '#edge/pages/dashboard/page.ts';
import { StatusBadge } from '#edge/pages/dashboard/status.tsx';
import { Button } from '#edge/pages/design/button.tsx';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import { Facts, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { LongTextField } from '#edge/pages/design/field.tsx';
import type { ProductReview } from '#proto/client/dashboard.ts';

interface ReviewProps {
  readonly review: ProductReview;
  readonly show: (review: ProductReview) => void;
}

const RejectDialog = ({ review, show, close }: ReviewProps & { readonly close: () => void }) => {
  const write = useWrite();
  const [reason, setReason] = useState('');
  const reject = async (): Promise<void> => {
    const saved = await write.run(
      (api) => api.reviews.moderate({ id: review.id, status: 'rejected', rejection_reason: reason }),
      { done: 'The review is rejected.' },
    );
    if (saved) {
      show(saved.review);
      close();
    }
  };
  return (
    <Dialog title="Reject the review" close={close}>
      <LongTextField
        label="Reason"
        value={reason}
        change={setReason}
        problem={problemAt(write.problem, 'rejection_reason')}
        advice="Its author reads it."
      />
      <ProblemNote problem={write.problem} />
      <div class="buttons">
        <Button press={close}>Back</Button>
        <Button tone="danger" busy={write.busy} disabled={reason.trim() === ''} press={() => void reject()}>
          Reject
        </Button>
      </div>
    </Dialog>
  );
};

const ReviewParts = ({ review, show }: ReviewProps) => {
  const { moment, number } = useFormats();
  const can = useCan();
  const write = useWrite();
  const [rejects, setRejects] = useState(false);
  const approve = async (): Promise<void> => {
    const saved = await write.run((api) => api.reviews.moderate({ id: review.id, status: 'approved' }), {
      done: 'The review is approved.',
    });
    if (saved) show(saved.review);
  };
  return (
    <>
      <PageHead
        title={review.title}
        up={{ label: 'Reviews', to: at('service', { kind: 'reviews' }) }}
        badge={<StatusBadge status={review.status} />}
      >
        {can('reviews:write') && review.status !== 'approved' && (
          <Button tone="primary" busy={write.busy} press={() => void approve()}>
            Approve
          </Button>
        )}
        {can('reviews:write') && review.status !== 'rejected' && <Button press={() => setRejects(true)}>Reject</Button>}
      </PageHead>
      <ProblemNote problem={write.problem} />
      <Sheet title={`${review.rating} of 5`}>
        <p>{review.body}</p>
        {review.media_urls.map((url) => (
          <a key={url} href={url} target="_blank" rel="noreferrer">
            {url}
          </a>
        ))}
        <Facts
          facts={[
            ['Customer', review.customer_name],
            ['Bought here', review.verified_purchase ? 'Yes' : 'No'],
            [
              'Product',
              <a key="product" href={at(`products/${review.product_id}`)}>
                Show the product
              </a>,
            ],
            ['Written', moment(review.created_at)],
            ['Found helpful', number(review.helpful_count)],
            ...(review.rejection_reason ? ([['Rejected because', review.rejection_reason]] as const) : []),
          ]}
        />
      </Sheet>
      {rejects && <RejectDialog review={review} show={show} close={() => setRejects(false)} />}
    </>
  );
};

export const ReviewScreen = ({ params: { id = '' } }: ScreenProps) => {
  const loaded = useRecord((api) => api.reviews.get({ id }), [id]);
  return (
    <WhenLoaded loaded={loaded}>
      {({ review }) => <ReviewParts review={review} show={(changed) => loaded.set({ review: changed })} />}
    </WhenLoaded>
  );
};
