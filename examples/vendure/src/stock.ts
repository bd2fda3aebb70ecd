// What a new shop begins with: one product, a way to send it, and the way to pay.
import type { INestApplication } from '@nestjs/common';
import {
  ChannelService,
  CurrencyCode,
  Importer,
  type InitialData,
  LanguageCode,
  Populator,
  ProductService,
  RequestContextService,
} from '@vendure/core';
import { lastValueFrom } from 'rxjs';
import { HANDLER } from './payment-handler';

const INITIAL: InitialData = {
  defaultLanguage: LanguageCode.en,
  defaultZone: 'Peru',
  countries: [{ code: 'PE', name: 'Peru', zone: 'Peru' }],
  taxRates: [{ name: 'Standard', percentage: 18 }],
  shippingMethods: [{ name: 'Parcel', price: 1000 }],
  paymentMethods: [{ name: HANDLER, handler: { code: HANDLER, arguments: [] } }],
  collections: [],
};

/** A row of Vendure's import, which is CSV; the price is in the currency's main unit. */
const PRODUCT = {
  name: 'Woven backpack «Ñandutí»',
  slug: 'mochila-telar',
  description: 'Woven by hand',
  assets: '',
  facets: '',
  optionGroups: '',
  optionValues: '',
  sku: 'mochila-telar',
  price: '129.90',
  taxCategory: 'Standard',
  stockOnHand: '0',
  trackInventory: 'false',
  variantAssets: '',
  variantFacets: '',
};
const PRODUCTS = [Object.keys(PRODUCT), Object.values(PRODUCT)].map((row) => row.join(',')).join('\n');

/** Fills a database that has no product. */
export async function fillEmptyShop(app: INestApplication): Promise<void> {
  const contexts = app.get(RequestContextService);
  const before = await contexts.create({ apiType: 'admin' });
  if ((await app.get(ProductService).findAll(before)).totalItems > 0) return;
  const channels = app.get(ChannelService);
  const { id } = await channels.getDefaultChannel();
  const currency = CurrencyCode.PEN;
  const money = { defaultCurrencyCode: currency, availableCurrencyCodes: [currency], pricesIncludeTax: true };
  await channels.update(before, { id, ...money, trackInventory: false });
  await app.get(Populator).populateInitialData(INITIAL);
  // The context knows the currency that the channel had when it was made.
  const ctx = await contexts.create({ apiType: 'admin' });
  const { errors } = await lastValueFrom(app.get(Importer).parseAndImport(PRODUCTS, ctx, false));
  if (errors?.length) throw new Error(errors.join('\n'));
}
