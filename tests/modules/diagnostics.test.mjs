// Searches for mistakes that need no page: near names, and fields that break the contract.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { moduleOf } from "./support/modules.mjs";

const { FINDING_CODES } = await moduleOf("shared/finding");
const { findPage, near } = await moduleOf("checkout-element/diagnostics/page");
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

test("an address of the help that runs something is named", () => {
  class Element {
    static observedAttributes = [];
    children = [];
    getAttribute = () => null;
    hasAttribute = () => false;
    getAttributeNames = () => [];
  }
  const said = (/** @type {string} */ helpUrl) =>
    findPage({ helpUrl }, new Element()).filter((/** @type {any} */ { code }) => code === "help-url");
  assert.match(said("javascript:alert(1)")[0].is, /^help-url is no https:, mailto: or tel: address and no path: javascript:/);
  for (const url of ["https://shop.example/help?n={number}", "mailto:help@shop.example", "/help.html"]) assert.deepEqual(said(url), [], url);
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
  assert.deepEqual(codes({ ...CREATED, transaction: without }), ["missing-field: the field transaction.amount is missing"]);
  assert.deepEqual(codes({ merchantCode: "1", ...CREATED, merchant_code: undefined }), [
    "camel-case: the field merchant_code is written merchantCode; the fields have the specification's names",
  ]);
  assert.deepEqual(codes({ ...CREATED, transaction: { ...TRANSACTION, amount: 100, state: null } }), [
    "wrong-type: the field transaction.state has to be a text, and is null",
    'wrong-type: the field transaction.amount has to be a text of whole cents, as in "12990", and is a number',
  ]);
  assert.deepEqual(codes({ ...CREATED, transaction: { ...TRANSACTION, amount: "1.00" } }), [
    'wrong-type: the field transaction.amount has to be a text of whole cents, as in "12990", and is another text',
  ]);
});

test("a body or a list that is none is named", () => {
  assert.deepEqual(codes([]), ["wrong-type: the field the body has to be an object, and is a list"]);
  const operation = { merchant_operation_number: "2", amount: "1", currency: "604" };
  assert.deepEqual(codes({ merchant_code: "1", operation: { ...operation, transactions: {} } }, SHAPES.GET), [
    "wrong-type: the field operation.transactions has to be a list, and is an object",
  ]);
  assert.deepEqual(codes({ merchant_code: "1", operation: { ...operation, transactions: [TRANSACTION, {}] } }, SHAPES.GET).length, 5);
});

test("every code says what to do, in the guide", async () => {
  const guide = await readFile(new URL("../../docs/diagnostics.md", import.meta.url), "utf8");
  const headings = guide.split("## By code")[1].split("\n").filter((line) => line.startsWith("### "));
  assert.deepEqual(headings.map((line) => line.slice(4)), FINDING_CODES);
  assert.deepEqual([...FINDING_CODES].sort(), FINDING_CODES);
});
