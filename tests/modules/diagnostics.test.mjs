// Searches for mistakes that need no page: near names, and fields that break the contract.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { moduleOf } from "./support/modules.mjs";

const { FINDING_CODES } = await moduleOf("shared/finding");
const { near } = await moduleOf("checkout-element/diagnostics/page");
const { breaks, SHAPES } = await moduleOf("checkout-element/diagnostics/contract");

const KNOWN = ["base-url", "amount", "QR", "methods", "merchant-operation-number"];

test("a name within two letters is near, whatever its capitals and hyphens", () => {
  assert.equal(near("baseUrl", KNOWN), "base-url");
  assert.equal(near("amount_s", KNOWN), "amount");
  assert.equal(near("metods", KNOWN), "methods");
  assert.equal(near("Merchant_Operation_Number_", KNOWN), "merchant-operation-number");
  assert.equal(near("mtod", KNOWN), undefined);
});

test("a short name is near to less", () => {
  assert.equal(near("Q", KNOWN), "QR");
  assert.equal(near("xy", KNOWN), undefined);
});

const TRANSACTION = { transaction_id: "1", state: "PENDIENTE", amount: "100", currency: "604", payment_method: { method_name: "QR" } };
const CREATED = { merchant_code: "1", merchant_operation_number: "2", transaction: TRANSACTION };
const codes = (/** @type {any} */ body, shape = SHAPES.POST) => breaks(body, shape).map((/** @type {any} */ { code, is }) => `${code}: ${is}`);

test("an answer that keeps the contract breaks nothing", () => {
  assert.deepEqual(codes(CREATED), []);
  assert.deepEqual(codes({ ...CREATED, transaction: { ...TRANSACTION, continue_url: null } }), []);
});

test("a field that is missing, in camel case or of another type is named", () => {
  const { amount, ...without } = TRANSACTION;
  assert.deepEqual(codes({ ...CREATED, transaction: without }), ["missing-field: the field transaction.amount is missing. Add it: openapi.yaml has every field of every answer"]);
  assert.deepEqual(codes({ merchantCode: "1", ...CREATED, merchant_code: undefined }), [
    "camel-case: the field merchant_code is written merchantCode. Send the specification's names as they are",
  ]);
  assert.deepEqual(codes({ ...CREATED, transaction: { ...TRANSACTION, amount: 100, state: null } }), [
    "wrong-type: the field transaction.state is null. Send a text",
    'wrong-type: the field transaction.amount is a number. Send a text of whole cents, as in "12990"',
  ]);
  assert.deepEqual(codes({ ...CREATED, transaction: { ...TRANSACTION, amount: "1.00" } }), [
    'wrong-type: the field transaction.amount is a text of another form. Send a text of whole cents, as in "12990"',
  ]);
});

test("a body or a list that is none is named", () => {
  assert.deepEqual(codes([]), ["wrong-type: the body is a list. Send an object"]);
  const operation = { merchant_operation_number: "2", amount: "1", currency: "604" };
  assert.deepEqual(codes({ merchant_code: "1", operation: { ...operation, transactions: {} } }, SHAPES.GET), [
    "wrong-type: the field operation.transactions is an object. Send a list",
  ]);
  assert.deepEqual(codes({ merchant_code: "1", operation: { ...operation, transactions: [TRANSACTION, {}] } }, SHAPES.GET).length, 5);
});

test("every code says what to do, in the guide", async () => {
  const guide = await readFile(new URL("../../docs/diagnostics.md", import.meta.url), "utf8");
  const headings = guide.split("## By code")[1].split("\n").filter((line) => line.startsWith("### "));
  assert.deepEqual(headings.map((line) => line.slice(4)), FINDING_CODES);
  assert.deepEqual([...FINDING_CODES].sort(), FINDING_CODES);
});
