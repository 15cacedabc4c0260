// The time line of an order, newest first, from its record, payments and returns.
import { useFormats } from '#edge/pages/dashboard/page.ts';
import { words } from '#edge/pages/dashboard/status.tsx';
import { Sheet } from '#edge/pages/design/display.tsx';
import type { ListedPayment, OrderReturn, StoreOrder } from '#proto/client/dashboard.ts';

interface Happening {
  readonly at: string;
  readonly text: string;
}

interface TimeLineProps {
  readonly order: StoreOrder;
  readonly payments: readonly ListedPayment[];
  readonly returns: readonly OrderReturn[];
}

export const TimeLine = ({ order, payments, returns }: TimeLineProps) => {
  const { money, moment } = useFormats();
  const happenings: Happening[] = [
    { at: order.created_at, text: order.agent ? `Placed by ${order.agent.name}` : 'Placed' },
    ...payments.map(({ created_at, paid_at, amount, currency, provider, status }) => ({
      at: paid_at ?? created_at,
      text: `Payment of ${money(amount, currency)} by ${words(provider)}: ${status}`,
    })),
    ...order.shipments.map(({ created_at, carrier, tracking_number }) => ({
      at: created_at,
      text: `Shipped${carrier ? ` with ${carrier}` : ''}${tracking_number ? `, ${tracking_number}` : ''}`,
    })),
    ...order.refunds.map(({ created_at, amount, reason, status }) => ({
      at: created_at,
      text: `Refund of ${money(amount, order.currency)}: ${status}${reason ? ` (${reason})` : ''}`,
    })),
    ...returns.map(({ updated_at, status, reason_code }) => ({
      at: updated_at,
      text: `Return ${status}: ${words(reason_code)}`,
    })),
    ...(order.delivered_at ? [{ at: order.delivered_at, text: 'Delivered' }] : []),
    ...(order.order_status === 'cancelled' ? [{ at: order.updated_at, text: 'Cancelled' }] : []),
  ];
  happenings.sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
  return (
    <Sheet title="Time line">
      <ol class="time-line">
        {happenings.map(({ at, text }) => (
          <li key={`${at} ${text}`}>
            <time dateTime={at}>{moment(at)}</time> {text}
          </li>
        ))}
      </ol>
    </Sheet>
  );
};
