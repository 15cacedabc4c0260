// Shows every component of the design system.
import { useState } from 'preact/hooks';
import { useFormats } from '#edge/pages/dashboard/page.ts';
import { Button, IconButton, LinkButton } from '#edge/pages/design/button.tsx';
import { Chart } from '#edge/pages/design/chart.tsx';
import { Confirm } from '#edge/pages/design/dialog.tsx';
import { Badge, Empty, Facts, Note, PageHead, Sheet, Skeleton, Tabs } from '#edge/pages/design/display.tsx';
import { DragList } from '#edge/pages/design/drag_list.tsx';
import { CheckField, LongTextField, NumberField, SelectField, TextField } from '#edge/pages/design/field.tsx';
import { FileDrop } from '#edge/pages/design/file_drop.tsx';
import { Menu } from '#edge/pages/design/menu.tsx';
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
        <Menu
          label="Menu"
          items={[
            { label: 'Duplicate', press: () => toast('The lamp is duplicated.') },
            { label: 'Archive', press: () => toast('The lamp is archived.') },
          ]}
        />
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

const Lists = () => {
  const [lamps, setLamps] = useState<readonly string[]>(['Desk lamp', 'Floor lamp', 'Ceiling lamp']);
  return (
    <div class="columns">
      <Sheet title="Order by dragging">
        <DragList label="Lamps in order" items={lamps} idOf={(lamp) => lamp} nameOf={(lamp) => lamp} move={setLamps}>
          {(lamp) => lamp}
        </DragList>
      </Sheet>
      <Sheet title="Files">
        <FileDrop
          label="Pictures"
          accept="image/*"
          multiple
          take={(files) => toast(`Chosen: ${files.map(({ name }) => name).join(', ')}.`)}
        />
      </Sheet>
    </div>
  );
};

const DAY_S = 86_400;
const TIMES: readonly number[] = Array.from({ length: 30 }, (_, day) => 1_767_225_600 + day * DAY_S);
const SERIES = [
  { label: 'These 30 days', colour: '--go', values: TIMES.map((_, day) => 200 + ((day * 37) % 90)) },
  {
    label: 'The 30 days before',
    colour: '--soft',
    dashed: true,
    values: TIMES.map((_, day) => 180 + ((day * 23) % 90)),
  },
];

const Charts = () => {
  const { money, date } = useFormats();
  return (
    <Sheet title="Chart">
      <Chart
        label="Sales of a lamp shop over 30 days"
        times={TIMES}
        series={SERIES}
        timezone="UTC"
        timeText={(seconds) => date(seconds * 1_000)}
        valueText={(value) => money(value)}
      />
    </Sheet>
  );
};

interface Sample {
  readonly id: string;
  readonly name: string;
  readonly price: number;
}

const SAMPLES: readonly Sample[] = Array.from({ length: 100_000 }, (_, index) => ({
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
      <Lists />
      <Charts />
      <Tables />
    </>
  );
};
