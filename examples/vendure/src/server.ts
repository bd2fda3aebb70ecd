import { bootstrap } from '@vendure/core';
import { config } from './config';
import { fillEmptyShop } from './stock';

async function run(): Promise<void> {
  const app = await bootstrap(config);
  await fillEmptyShop(app);
  console.log(`The shop is open: http://${config.apiOptions.hostname}:${config.apiOptions.port}/shop/`);
}

run().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
