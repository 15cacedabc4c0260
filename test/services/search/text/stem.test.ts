// Nouns that shops sell most, by singular and plural.
import { describe, expect, test } from 'vitest';
import { singularOf } from '#services/search/text/stem.ts';
import { asking } from '#test/services/search/engine/named_product.ts';

/** Plurals in -s alone. */
const REGULAR =
  'adapter album amplifier apron armchair backpack bag ball balloon band banner barrel basin basket bead beaker bean bed belt ' +
  'bicycle bike bin binder blade blanket blazer blender blind blouse board boat bolt book boot bottle bowl bra bracelet brick ' +
  'bucket buckle bulb bumper burger button cabinet cable cage cake calculator calendar camera candle cap car card carpet cart ' +
  'case chain chair charger cheese chew chocolate clamp cleaner clip cloak clock clog coat coaster cocktail coin collar ' +
  'computer console cooker cooler cork costume cot cover cradle crate cream cup cupboard curtain cushion cutter desk diaper ' +
  'diamond doll door drawer drill drive drone drum duvet earring easel egg engine envelope eraser fabric fan faucet fence ' +
  'figure file filter flag flower folder fork fountain frame freezer fridge fryer funnel fuse game garden garment gate gift ' +
  'glove goggle gown grater grill guitar hammer hammock handle hanger hat headphone heater helmet hinge hook hose house ' +
  'humidifier jacket jar jean jersey jug kettle key keyboard kit kite lace ladder lamp lantern laptop latch legging light ' +
  'lighter liner lipstick lock locket lotion lure magnet marker mask mat maze mirror mixer modem monitor mop mug nail ' +
  'napkin needle net notebook nozzle nurse oar oil olive organizer ornament oven pad paddle paint painting pan pant paper ' +
  'pedal pen pencil pendant perfume phone picture pill pillow pin pipe pitcher plant plate plug pot prize printer ' +
  'processor projector pump purse puzzle racket rack radio rake razor remote rice ring robe rocket rod roller rope rose router ' +
  'rug ruler saddle sandal saucer saw scale scanner scooter screen screw screwdriver seat sensor serum shade shampoo sheet ' +
  'shirt short shovel shower sink size skirt skateboard sleeve slicer slipper soap sock socket sofa speaker spice sponge spoon ' +
  'spray stapler statue steamer sticker stool stove strap straw stroller suit suitcase sweater table tablet ' +
  'tape tea tent thermometer thermostat tie tile tire toaster toilet tool towel toy tractor trailer tray tricycle tripod ' +
  'trouser truck tumbler turbine tyre umbrella vacuum valve vase vaporizer vest video violin wallet wardrobe wave wheel whistle ' +
  'wig window wine wire wok wreath yarn yoyo zipper';

/** Singulars whose plural takes more than -s. */
const OTHERS = {
  '-es behind s, x, z, ch, sh': `glass:glasses dress:dresses mattress:mattresses compass:compasses harness:harnesses
    necklace:necklaces box:boxes mailbox:mailboxes fox:foxes tax:taxes brush:brushes toothbrush:toothbrushes dish:dishes
    wash:washes leash:leashes watch:watches bench:benches torch:torches pouch:pouches switch:switches wrench:wrenches
    sandwich:sandwiches match:matches couch:couches patch:patches hatch:hatches waltz:waltzes quiz:quizzes buzz:buzzes`,
  '-s behind a silent e': `size:sizes prize:prizes bronze:bronzes breeze:breezes vase:vases rose:roses hose:hoses nose:noses
    nurse:nurses purse:purses horse:horses blouse:blouses house:houses case:cases suitcase:suitcases bookcase:bookcases
    fuse:fuses phase:phases cheese:cheeses exercise:exercises axe:axes headache:headaches moustache:moustaches quiche:quiches
    mousse:mousses cache:caches`,
  'a singular in -s': `lens:lenses bus:buses gas:gases canvas:canvases iris:irises atlas:atlases cactus:cactuses
    virus:viruses bonus:bonuses octopus:octopuses lotus:lotuses trellis:trellises thermos:thermoses walrus:walruses`,
  '-o': `potato:potatoes tomato:tomatoes mango:mangoes hero:heroes domino:dominoes torpedo:torpedoes photo:photos piano:pianos
    radio:radios video:videos kimono:kimonos poncho:ponchos bamboo:bamboos yoyo:yoyos shoe:shoes toe:toes canoe:canoes
    horseshoe:horseshoes oboe:oboes avocado:avocados taco:tacos stereo:stereos`,
  '-ies of -y': `battery:batteries lily:lilies candy:candies berry:berries strawberry:strawberries accessory:accessories
    body:bodies diary:diaries jewelry:jewelries memory:memories penny:pennies pony:ponies puppy:puppies baby:babies
    trophy:trophies teddy:teddies dummy:dummies jelly:jellies toy:toys tray:trays key:keys jersey:jerseys display:displays
    supply:supplies story:stories party:parties library:libraries laundry:laundries daisy:daisies`,
  '-ies of -ie': `cookie:cookies movie:movies brownie:brownies hoodie:hoodies beanie:beanies smoothie:smoothies tie:ties
    pie:pies onesie:onesies selfie:selfies scrunchie:scrunchies zombie:zombies necktie:neckties`,
  '-ves of -f': 'shelf:shelves',
  '-ves of -f and -fe': `knife:knives penknife:penknives bookshelf:bookshelves leaf:leaves loaf:loaves
    wolf:wolves half:halves scarf:scarves calf:calves elf:elves hoof:hooves wife:wives life:lives thief:thieves
    dwarf:dwarves self:selves`,
  '-ves of -ve': `glove:gloves sleeve:sleeves valve:valves olive:olives stove:stoves wave:waves dove:doves curve:curves
    clove:cloves drive:drives cove:coves beehive:beehives`,
  '-s of -f': `roof:roofs chef:chefs belief:beliefs scarf:scarfs cuff:cuffs brief:briefs handkerchief:handkerchiefs reef:reefs`,
  'a plural of its own': `child:children grandchild:grandchildren foot:feet tooth:teeth goose:geese mouse:mice louse:lice
    man:men woman:women gentleman:gentlemen snowman:snowmen ox:oxen person:people cactus:cacti radius:radii octopus:octopi
    index:indices matrix:matrices gateau:gateaux tableau:tableaux antenna:antennae mouse:mouses`,
  '-is and -us of -i and -u': `ski:skis taxi:taxis bikini:bikinis kiwi:kiwis sari:saris emoji:emojis menu:menus tutu:tutus
    cpu:cpus gpu:gpus`,
  'three letters': 'tv:tvs cd:cds',
  'both alike': `scissors:scissors series:series jeans:jeans trousers:trousers headphones:headphones pliers:pliers
    tweezers:tweezers pyjamas:pyjamas goggles:goggles`,
};

const PAIRS = [
  ...REGULAR.split(' ').map((noun) => [noun, `${noun}s`] as const),
  ...Object.values(OTHERS).flatMap((pairs) =>
    pairs.split(/\s+/).map((pair) => pair.split(':') as unknown as readonly [string, string]),
  ),
];

test('a noun and its plural are one term, and a singular is unchanged', () => {
  expect(PAIRS.length).toBeGreaterThan(450);
  expect(PAIRS.filter(([one, many]) => singularOf(one) !== singularOf(many))).toEqual([]);
  const plain = PAIRS.filter(([one, many]) => one !== many);
  expect(plain.filter(([one]) => singularOf(one) !== one)).toEqual([]);
});

describe('a search', () => {
  const rest = ['marble tray', 'brass hook'];
  test('matches plural by singular and singular by plural', () => {
    const missed = PAIRS.filter(
      ([one, many]) =>
        !asking([`linen ${one}`, ...rest])(many).names.includes(`linen ${one}`) ||
        !asking([`linen ${many}`, ...rest])(one).names.includes(`linen ${many}`),
    );
    expect(missed).toEqual([]);
  });

  test.each([
    ['lenses', 'Zoom lens 50 mm'],
    ['knives', 'Bread knife'],
    ['lens', 'Two lenses'],
    ["children's", 'Child seat'],
    ["men's shoe", 'Shoes for men'],
  ])('"%s" finds "%s"', (query, name) => {
    expect(asking([name, ...rest])(query)).toEqual({ names: [name], corrections: [] });
  });
});
