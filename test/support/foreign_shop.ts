// What other shops' exports look like: a small catalogue of pottery and shirts, written for tests in each format.

const lines = (...all: string[]): string => `${all.join('\n')}\n`;

export const SHOPIFY_PRODUCTS = lines(
  'Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant SKU,Variant Grams,Variant Inventory Qty,Variant Price,Variant Compare At Price,Variant Requires Shipping,Variant Barcode,Image Src,Image Position,Image Alt Text,Gift Card,SEO Title,SEO Description,Variant Image,Status,Collection',
  'river-shirt,River Shirt,"<p>Linen,\nwashed.</p>",Otter & Oak,Shirts,"linen, summer",true,Size,S,Colour,Blue,RS-S-B,210,4,45.00,60.00,true,4006381333931,https://pictures.example.com/river.jpg,1,River shirt,false,River shirt in linen,Cool,https://pictures.example.com/river-blue.jpg,active,Summer',
  'river-shirt,,,,,,,,M,,Blue,RS-M-B,220,-2,45.00,60.00,true,,https://pictures.example.com/river-back.jpg,2,Seen from behind,,,,,,',
  'river-shirt,,,,,,,,M,,Sand,,220,7,50.00,,true,123,,,,,,,,,',
  'clay-bowl,Clay Bowl,,Otter & Oak,Bowls,,true,Title,Default Title,,,CB-1,800,12,18.50,,true,,https://pictures.example.com/bowl.jpg,1,,false,,,,active,"Summer, Kitchen"',
  'plain-cup,Plain Cup,,,Cups,,false,Title,Default Title,,,CUP-1,300,0,9.00,,true,,,,,false,,,,draft,',
  'dear-vase,Dear Vase,,,Vases,,true,Title,Default Title,,,VASE-1,900,1,a lot,,true,,not an address,1,,false,,,,active,',
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

export const OWN = lines(
  '{"kind":"category","name":"Bowls","description":"For soup","subcategories":[{"name":"Small bowls"}]}',
  '{"kind":"collection","name":"Kitchen","slug":"the-kitchen","show_on_homepage":true}',
  '{"kind":"product","external_id":"bowl","handle":"the-bowl","name":"Bowl","category":"Bowls > Small bowls","sku":"BOWL","price":12.5,"stock":3,"collections":["Kitchen"],"media":[{"url":"https://pictures.example.com/bowl.jpg"}]}',
  '{"external_id":"shirt","name":"Shirt","variants":[{"sku":"SHIRT-S","price":20,"stock":1,"variant_attributes":{"size":"S"},"is_default":true},{"sku":"SHIRT-M","price":22,"stock":2,"variant_attributes":{"size":"M"}}]}',
  '{"external_id":"bad","name":"Bad","sku":"BAD","price":-1}',
  '{"name":"Unnamed"}',
  'no json',
  '{"kind":"customer","email":"grace@shoppers.example.com","first_name":"Grace"}',
);
