// Provides exports of other shop systems: a small catalogue of pottery and shirts in each format.

const lines = (...all: string[]): string => `${all.join('\n')}\n`;

export const SHOPIFY_PRODUCTS = lines(
  'Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant SKU,Variant Grams,Variant Inventory Qty,Variant Price,Variant Compare At Price,Variant Requires Shipping,Variant Barcode,Image Src,Image Position,Image Alt Text,Gift Card,SEO Title,SEO Description,Variant Image,Status,Collection',
  'river-shirt,River Shirt,"<p>Linen,\nwashed.</p>",Otter & Oak,Shirts,"linen, summer",true,Size,S,Colour,Blue,RS-S-B,210,4,45.00,60.00,true,4006381333931,https://pictures.example.com/river.jpg,1,River shirt,false,River shirt in linen,Cool,https://pictures.example.com/river-blue.jpg,active,Summer',
  'river-shirt,,,,,,,,M,,Blue,RS-M-B,220,-2,45.00,60.00,true,,https://pictures.example.com/river-back.jpg,2,Seen from behind,,,,,,',
  'river-shirt,,,,,,,,M,,Sand,,220,7,50.00,,true,123,,,,,,,,,',
  'clay-bowl,Clay Bowl,,Otter & Oak,Bowls,,true,Title,Default Title,,,CB-1,800,12,18.50,,true,,https://pictures.example.com/bowl.jpg,1,,false,,,,active,"Summer, Kitchen"',
  'plain-cup,Plain Cup,,,Cups,,false,Title,Default Title,,,CUP-1,300,0,9.00,,true,,,,,false,,,,draft,',
  'dear-vase,Dear Vase,,,Vases,,true,Title,Default Title,,,VASE-1,900,1,a lot,,true,,https://pictures.example.com/vase.jpg,1,,false,,,,active,',
  ',Nameless,,,,,,,,,,,,,,,,,,,,,,,,,',
  'no-title,,,,,,true,Title,Default Title,,,NT-1,1,1,1.00,,true,,,,,false,,,,active,',
);

export const SHOPIFY_CUSTOMERS = lines(
  'Customer ID,First Name,Last Name,Email,Default Address Company,Default Address Address1,Default Address Address2,Default Address City,Default Address Province Code,Default Address Country Code,Default Address Zip,Default Address Phone,Phone,Tags',
  "'7001,Amina,Otieno,Amina@shoppers.example.com,,12 Moi Avenue,,Nairobi,,KE,'00100,,'+254700000001,regular",
  "'7002,Jonas,,jonas@shoppers.example.com,,Main Street 5,,,,DE,,,,",
  "'7003,Nameless,,,,,,,,,,,,",
  "'7004,Bad,,not an address,,,,,,,,,,",
);

export const STOA_JSON_LINES = lines(
  '{"kind":"category","name":"Bowls","description":"For soup","subcategories":[{"name":"Small bowls"}]}',
  '{"kind":"collection","name":"Kitchen","slug":"the-kitchen","show_on_homepage":true}',
  '{"kind":"product","external_id":"bowl","handle":"the-bowl","name":"Bowl","category":"Bowls > Small bowls","sku":"BOWL","price":12.5,"stock":3,"collections":["Kitchen"],"media":[{"url":"https://pictures.example.com/bowl.jpg"}]}',
  '{"external_id":"shirt","name":"Shirt","variants":[{"sku":"SHIRT-S","price":20,"stock":1,"variant_attributes":{"size":"S"},"is_default":true},{"sku":"SHIRT-M","price":22,"stock":2,"variant_attributes":{"size":"M"}}]}',
  '{"external_id":"bad","name":"Bad","sku":"BAD","price":-1}',
  '{"name":"Unnamed"}',
  '{"kind":"voucher","name":"Ten off"}',
  '{"kind":"customer","email":"grace@shoppers.example.com","first_name":"Grace"}',
);

export const WOOCOMMERCE = lines(
  '\uFEFFID,Type,SKU,Name,Published,"Is featured?","Short description",Description,"In stock?",Stock,"Weight (kg)","Regular price","Sale price",Categories,Tags,Images,Parent,"Attribute 1 name","Attribute 1 value(s)"',
  '44,variable,OAK,Oak Stool,1,1,,"A stool, of oak",1,,4.5,,,"Seats > Stools, Oak things","oak, seat","https://pictures.example.com/stool.jpg, https://pictures.example.com/stool-2.jpg",,Height,"Low, High"',
  '45,variation,OAK-L,Oak Stool - Low,1,0,,,1,3,4,80,70,,,https://pictures.example.com/low.jpg,id:44,Height,Low',
  '46,variation,,Oak Stool - High,1,0,,,1,5,,95,,,,,OAK,Height,High',
  '47,simple,MAT,Mat,0,0,Coir,,0,,1.2,15.5,,Mats,,,,Fibre,Coir',
  '48,grouped,SET,Set of all,1,0,,,1,,,,,,,,,,',
  '49,variation,LOST,Lost,1,0,,,1,1,,5,,,,,id:99,Height,Low',
);

export const MEDUSA_CSV = lines(
  'Product Id;Product Handle;Product Title;Product Description;Product Status;Product Thumbnail;Product Collection Title;Product Type;Product Tags;Variant Id;Variant Title;Variant Sku;Variant Barcode;Variant Inventory Quantity;Variant Price EUR;Variant Price USD;Variant Option 1 Name;Variant Option 1 Value;Product Image 1 Url',
  'prod_1;cap;Cap;Warm;published;https://pictures.example.com/cap.jpg;Winter;Hats;wool,warm;v1;Red;CAP-R;;8;18;20;Colour;Red;https://pictures.example.com/cap-2.jpg',
  'prod_1;cap;;;;;;;;v2;Green;CAP-G;;2;18;21;Colour;Green;',
  'prod_2;scarf;Scarf;;draft;;;;;v3;Scarf;SCARF;;4;30;;;;',
  ';;No handle;;;;;;;;;;;;;;;;',
);

export const MEDUSA_JSON = JSON.stringify({
  products: [
    {
      ...{ id: 'prod_1', handle: 'cap', title: 'Cap', status: 'published', description: 'Warm' },
      collection: { title: 'Winter' },
      categories: [{ name: 'Caps', parent_category: { name: 'Hats' } }],
      tags: [{ value: 'wool' }],
      images: [{ url: 'https://pictures.example.com/cap.jpg' }],
      variants: [
        {
          ...{ title: 'Red', sku: 'CAP-R', inventory_quantity: 8, weight: 90 },
          prices: [
            { currency_code: 'eur', amount: 18 },
            { currency_code: 'usd', amount: 20 },
          ],
          options: [{ value: 'Red', option: { title: 'Colour' } }],
        },
        { title: 'Green', sku: 'CAP-G', inventory_quantity: 2, prices: [{ currency_code: 'usd', amount: 21 }] },
      ],
    },
    { id: 'prod_2', title: 'Scarf', variants: [{ title: 'Scarf', inventory_quantity: 4, prices: [] }] },
    'no product',
  ],
});

export const GOOGLE = lines(
  '<?xml version="1.0"?>',
  '<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Shop</title>',
  '<item><g:id>BAG-S</g:id><g:item_group_id>BAG</g:item_group_id><g:title>Bag &amp; strap</g:title><g:description>Waxed</g:description><g:link>https://old.example.com/p/bag-and-strap?v=1</g:link><g:image_link>https://pictures.example.com/bag.jpg</g:image_link><g:additional_image_link>https://pictures.example.com/bag-2.jpg</g:additional_image_link><g:price>60.00 USD</g:price><g:sale_price>45.50 USD</g:sale_price><g:availability>in_stock</g:availability><g:quantity>4</g:quantity><g:size>S</g:size><g:color>Sand</g:color><g:brand>Otter &amp; Oak</g:brand><g:product_type>Bags &gt; Totes &gt; Waxed</g:product_type><g:shipping_weight>1.2 kg</g:shipping_weight><g:condition>new</g:condition></item>',
  '<item><g:id>BAG-L</g:id><g:item_group_id>BAG</g:item_group_id><g:title>Bag &amp; strap</g:title><g:price>70.00 USD</g:price><g:availability>out_of_stock</g:availability><g:size>L</g:size></item>',
  '<item><g:id>CORD</g:id><g:title>Cord</g:title><g:price>3 EUR</g:price><g:availability>in_stock</g:availability></item>',
  '<item><g:title>No id</g:title></item>',
  '</channel></rss>',
);
