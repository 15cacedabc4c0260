// Shows every component of the design system.
import { useState } from 'preact/hooks';
import { useFormats } from '#edge/pages/dashboard/page.ts';
import { Button, IconButton, LinkButton } from '#edge/pages/design/button.tsx';
import { Confirm } from '#edge/pages/design/dialog.tsx';
import { Badge, Empty, Facts, Note, PageHead, Sheet, Skeleton, Tabs } from '#edge/pages/design/display.tsx';
import { CheckField, LongTextField, NumberField, SelectField, TextField } from '#edge/pages/design/field.tsx';
import { SelectionBar, Table, useSelection } from '#edge/pages/design/table.tsx';
import { toast } from '#edge/pages/design/toast.tsx';

const Buttons = () => {
  const [asked, setAsked] = useState(false);
  return (
    <Sheet title="Buttons, dialogs, toasts">
      <div class="row">
        <Button tone="primary" icon="add" press={() => toast('The lamp is saved.')}>
          Primary
        </Button>
        <Button press={() => toast('The lamp is removed.', () => toast('The lamp is back.'))}>Toast with undo</Button>
        <Button tone="danger" press={() => setAsked(true)}>
          Danger
        </Button>
        <Button tone="quiet" press={() => undefined}>
          Quiet
        </Button>
        <Button disabled>Disabled</Button>
        <LinkButton to="#buttons">Link</LinkButton>
        <IconButton icon="more" label="More" press={() => undefined} />
      </div>
      {asked && (
        <Confirm
          title="Remove the lamp?"
          action="Remove the lamp"
          confirm={() => setAsked(false)}
          close={() => setAsked(false)}
        >
          <p>Orders keep it.</p>
        </Confirm>
      )}
    </Sheet>
  );
};

const Fields = () => {
  const [text, setText] = useState('Lamp');
  const [price, setPrice] = useState<number | null>(19.5);
  const [status, setStatus] = useState('active');
  const [featured, setFeatured] = useState(true);
  return (
    <Sheet title="Fields">
      <div class="columns">
        <TextField label="Name" value={text} change={setText} advice="Shoppers read it first." />
        <TextField label="Refused" value={text} change={setText} problem="The name is taken by another product." />
        <NumberField label="Price" value={price} change={setPrice} unit="USD" step={0.01} />
        <SelectField
          label="Status"
          value={status}
          change={setStatus}
          options={[
            { value: 'active', label: 'Active' },
            { value: 'draft', label: 'Draft' },
          ]}
        />
        <LongTextField label="Description" value={text} change={setText} />
        <CheckField label="Featured" value={featured} change={setFeatured} />
      </div>
    </Sheet>
  );
};

interface Sample {
  readonly id: string;
  readonly name: string;
  readonly price: number;
}

const SAMPLES: readonly Sample[] = Array.from({ length: 1_000 }, (_, index) => ({
  id: `prod_${index}`,
  name: `Lamp ${index + 1}`,
  price: 10 + (index % 90),
}));

const Tables = () => {
  const { money } = useFormats();
  const selection = useSelection();
  return (
    <Sheet flush>
      <Table
        label="Lamps"
        rows={SAMPLES}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        to={({ id }) => `#${id}`}
        selection={selection}
        columns={[
          { id: 'name', name: 'Product', cell: ({ name }) => name },
          { id: 'state', name: 'Status', desk: true, cell: () => <Badge tone="go">active</Badge> },
          { id: 'price', name: 'Price', number: true, cell: ({ price }) => money(price) },
        ]}
      />
      <SelectionBar selection={selection}>
        <Button press={() => toast(`${selection.selected.size} lamps are archived.`)}>Archive</Button>
      </SelectionBar>
    </Sheet>
  );
};

export const DesignScreen = () => {
  const { money, number, percent, date, moment } = useFormats();
  return (
    <>
      <PageHead title="Design" badge={<Badge>reference</Badge>}>
        <Button>Action</Button>
      </PageHead>
      <Tabs
        label="Sample"
        tabs={[
          { label: 'Details', to: '#details', current: true },
          { label: 'Variants', to: '#variants', current: false, count: 3 },
        ]}
      />
      <Buttons />
      <Fields />
      <Sheet title="Badges and notes">
        <div class="row">
          <Badge>plain</Badge>
          <Badge tone="go">paid</Badge>
          <Badge tone="warn">waiting</Badge>
          <Badge tone="no">failed</Badge>
        </div>
        <Note>A note.</Note>
        <Note tone="warn">A warning.</Note>
        <Note tone="no">A refusal.</Note>
      </Sheet>
      <Sheet title="Formats">
        <Facts
          facts={[
            ['Money', money(1234.5)],
            ['Number', number(1_234_567)],
            ['Share', percent(0.16)],
            ['Date', date('2026-01-31T09:12:30Z')],
            ['Moment', moment('2026-01-31T09:12:30Z')],
          ]}
        />
      </Sheet>
      <Sheet title="Loading">
        <Skeleton />
      </Sheet>
      <Sheet>
        <Empty title="No products yet" icon="product">
          <p>Add the first one, or import a list.</p>
          <Button tone="primary">Add a product</Button>
        </Empty>
      </Sheet>
      <Tables />
    </>
  );
};
