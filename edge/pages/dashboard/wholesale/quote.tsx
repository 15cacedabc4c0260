// A quote that was sent, and the buyer's answer to it.
import { at, type ScreenProps, useFormats, useRecord, WhenLoaded } from '#edge/pages/dashboard/page.ts';
import { Facts, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { Buyer, DealBadge, DealLines } from './deal.tsx';
import { readNames } from './name.ts';
import { termLabel } from './term.ts';

const NEXT: Readonly<Record<string, string>> = {
  sent: 'Waits for the buyer.',
  accepted: 'The buyer orders it with a purchase order.',
  rejected: 'Nothing is left to do.',
  expired: 'The buyer may ask again.',
};

export const QuoteScreen = ({ params: { id = '' } }: ScreenProps) => {
  const { moment } = useFormats();
  const loaded = useRecord(
    async (api) => {
      const { data } = await api.b2b.quotes.get({ id });
      const request = data.rfq_id === null ? null : (await api.b2b.rfqs.get({ id: data.rfq_id })).data.rfq_number;
      return {
        quote: data,
        request,
        names: await readNames(
          api,
          data.items.map(({ variant_id }) => variant_id),
        ),
      };
    },
    [id],
  );
  return (
    <WhenLoaded loaded={loaded}>
      {({ quote, request, names }) => (
        <>
          <PageHead
            title={`Quote ${quote.quote_number}`}
            up={{ label: 'Quotes', to: at('wholesale', { kind: 'quotes' }) }}
            badge={<DealBadge status={quote.status} />}
          />
          <Sheet>
            <Facts
              facts={[
                ['Buyer', <Buyer key="buyer" id={quote.customer_id} />],
                ['Sent', moment(quote.created_at)],
                ['Valid until', moment(quote.valid_until)],
                ['Payment terms', termLabel(quote.payment_terms)],
                ['Note', quote.note ?? '–'],
                ['Buyer’s reason', quote.reason ?? '–'],
                ['Next', NEXT[quote.status]],
                ...(quote.rfq_id
                  ? [
                      [
                        'Answers',
                        <a key="request" href={at(`wholesale/requests/${quote.rfq_id}`)}>
                          {request}
                        </a>,
                      ] as const,
                    ]
                  : []),
              ]}
            />
          </Sheet>
          <DealLines names={names} deal={quote} />
        </>
      )}
    </WhenLoaded>
  );
};
