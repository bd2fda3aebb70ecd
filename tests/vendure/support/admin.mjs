// The shop's staff, by the Admin API of Vendure.

import { expect } from "@playwright/test";

/** @import { APIRequestContext } from "@playwright/test" */

const ORDER = `id code state totalWithTax
  payments { id state amount transactionId metadata refunds { id state total transactionId metadata } }
  history(options: { filter: { type: { eq: "ORDER_NOTE" } } }) { items { data isPublic } }`;

export class Admin {
  #request;

  /** @param {APIRequestContext} request keeps the session */
  constructor(request) {
    this.#request = request;
  }

  /** @param {string} password */
  async signIn(password) {
    const { login } = await this.#ask(
      `mutation($password: String!) { login(username: "superadmin", password: $password) { ... on CurrentUser { id } } }`,
      { password },
    );
    expect(login.id).toBeTruthy();
  }

  /** The order with this code. @param {string} code */
  async order(code) {
    const { orders } = await this.#ask(
      `query($code: String!) { orders(options: { filter: { code: { eq: $code } } }) { items { ${ORDER} } } }`,
      { code },
    );
    return orders.items[0];
  }

  /** The state of an order, or of what else the function chooses. @param {string} code */
  async reaches(code, state, choose = (/** @type {any} */ order) => order.state) {
    await expect.poll(async () => choose(await this.order(code))).toBe(state);
  }

  /** The notes for staff. @param {string} code @returns {Promise<string[]>} */
  async notes(code) {
    const { history } = await this.order(code);
    expect(history.items.filter(({ isPublic }) => isPublic)).toEqual([]);
    return history.items.map(({ data }) => data.note);
  }

  /** Cancels an order. @param {{ id: string }} order */
  async cancel({ id }) {
    const { cancelOrder } = await this.#ask(
      `mutation($id: ID!) { cancelOrder(input: { orderId: $id, reason: "The customer changed their mind" }) {
        ... on Order { state } ... on ErrorResult { errorCode message }
        ... on OrderStateTransitionError { transitionError } } }`,
      { id },
    );
    return cancelOrder;
  }

  /** Gives so many cents of a payment back. @param {{ id: string }} payment @param {number} amount */
  async refund({ id }, amount) {
    const { refundOrder } = await this.#ask(
      `mutation($id: ID!, $amount: Money!) { refundOrder(
        input: { paymentId: $id, amount: $amount, reason: "Returned", lines: [], shipping: 0, adjustment: 0 }) {
        ... on Refund { id state total transactionId metadata } ... on ErrorResult { errorCode message } } }`,
      { id, amount },
    );
    return refundOrder;
  }

  /** Presses *Settle payment* or *Cancel payment*. @param {"settle" | "cancel"} act @param {{ id: string }} payment */
  async press(act, { id }) {
    const { result } = await this.#ask(
      `mutation($id: ID!) { result: ${act}Payment(id: $id) {
        ... on Payment { state } ... on ErrorResult { errorCode message }
        ${act === "settle" ? "... on SettlePaymentError" : "... on CancelPaymentError"} { paymentErrorMessage } } }`,
      { id },
    );
    return result;
  }

  /** @param {string} query @param {object} variables @returns {Promise<any>} */
  async #ask(query, variables) {
    const answer = await this.#request.post("/admin-api", { data: { query, variables } });
    const { data, errors } = await answer.json();
    expect(errors, query).toBeUndefined();
    return data;
  }
}
