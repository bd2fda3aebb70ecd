import { expect, test } from "@playwright/test";

test("the shop page comes with the strict policy and keeps to it", async ({ page, baseURL }) => {
  const complaints = [];
  page.on("console", (message) => {
    if (/Content Security Policy|TrustedScript|TrustedHTML/.test(message.text())) {
      complaints.push(message.text());
    }
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("response", (answer) => {
    if (answer.status() >= 400 || !answer.url().startsWith(baseURL)) {
      complaints.push(`${answer.status()} ${answer.url()}`);
    }
  });
  const answer = await page.goto("/");
  expect(answer.status()).toBe(200);
  const policy = answer.headers()["content-security-policy"];
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("require-trusted-types-for 'script'");
  await page.waitForLoadState("networkidle");
  await page.waitForFunction(() => customElements.get("payment-checkout") !== undefined);
  expect(complaints).toEqual([]);
});

test("a file that does not exist is not the shop page", { tag: "@quick" }, async ({ request }) => {
  const answer = await request.get("/element/no-such-file.js");
  expect(answer.status()).toBe(404);
});
