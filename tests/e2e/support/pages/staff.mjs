import { expect } from "@playwright/test";
import { servers } from "../../../servers.mjs";

/** @import { Locator, Page } from "@playwright/test" */
/** @typedef {typeof TEXTS.es} Words */
/** @typedef {keyof Words} Word */

/** The words of the staff's element that tests look for. */
export const TEXTS = {
  es: {
    page: "Panel del personal",
    name: "Usuario",
    password: "Contraseña",
    signIn: "Ingresar",
    signOut: "Cerrar sesión",
    identifier: "Número, pedido o código",
    search: "Buscar",
    filters: /^Filtros/,
    found: "Operaciones encontradas",
    operation: "Operación",
    refund: "Devolver dinero",
    amount: "Monto en PEN",
    review: "Continuar",
    sendRefund: "Sí, reembolsar",
    part: "Una parte",
    all: /^Todo/,
    close: "Cerrar",
    cancel: "Anular",
    cancelYes: "Sí, anular",
    reverse: "Devolver dinero",
    reverseYes: "Sí, devolver el pago",
    reverseConfirm: /Escribe \d+, el final del número/,
    query: "Consultar de nuevo",
    exceptions: "Por revisar",
    back: "← Operaciones",
    results: "Resultado de cada reembolso",
    release: "Liberar el monto",
    releaseYes: "Sí, liberar",
    record: "Devolver a mano",
    recordYes: "Reservar",
    made: "Ya se hizo",
    madeYes: "Sí, se hizo",
    keep: "No, dejarla",
    leave: "Volver sin hacer nada",
    refresh: "Actualizar",
    code: "Código",
    enrolmentCode: "Código de alta",
    codeRefused: /ya se usó o venció/,
    setUpFactor: "Configurar segundo factor",
    changeDevice: "Cambiar de dispositivo",
    keyQr: "Código QR para la app de autenticación",
    haveCodes: "Ya los tengo",
    print: "Imprimir",
    news: /^\d+ nuevas?$/,
    someNews: "Hay novedades",
    old: /Última actualización hace/,
    sound: "Sonido",
    mark: "Marca en el título",
    stepUp: "Confirmar y seguir",
    links: "Enlaces",
    newLink: "Nuevo enlace",
    linkLabel: "Para qué es",
    makeLink: "Hacer el enlace",
    linkReady: "Enlace listo para enviar",
    linkText: "Texto para enviar",
    linkQr: "Mostrar el QR",
    share: "Compartir",
    copyText: "Copiar: Texto para enviar",
    end: "Terminar",
    endYes: "Sí, terminar",
  },
  en: {
    page: "Staff desk",
    name: "User name",
    password: "Password",
    signIn: "Sign in",
    signOut: "Sign out",
    identifier: "Number, order or code",
    search: "Search",
    found: "Operations found",
    operation: "Operation",
    refund: "Give money back",
    part: "A part",
    amount: "Amount in PEN",
    review: "Continue",
    sendRefund: "Yes, refund",
    query: "Ask again",
    close: "Close",
    back: "← Operations",
    results: "Result of each refund",
    exceptions: "To look into",
    all: /^All/,
    code: "Code",
    enrolmentCode: "Enrolment code",
    codeRefused: /wrong, used or expired/,
    setUpFactor: "Set up second factor",
    changeDevice: "Change device",
    keyQr: "QR code for the authenticator app",
    haveCodes: "I have them",
    news: /^\d+ new$/,
    someNews: "There is news",
    old: /Last updated .* ago/,
    sound: "Sound",
    mark: "Mark in the title",
    stepUp: "Confirm and go on",
    leave: "Go back, do nothing",
    links: "Links",
    newLink: "New link",
    linkLabel: "What it is for",
    makeLink: "Make the link",
    linkReady: "Link ready to send",
    linkText: "Text to send",
    linkQr: "Show QR",
    share: "Share",
    copyText: "Copy: Text to send",
    end: "End",
    endYes: "Yes, end it",
  },
};

/** A number as it is shown: the numbers of the demo have twelve digits. @param {string} number */
export const inGroups = (number) => number.replace(/(.{4})(?=.)/g, "$1 ");

/** The back office of the demo shop, and the staff's element in it. */
export class Staff {
  /**
   * @param {Page} page
   * @param {keyof typeof TEXTS} locale
   */
  constructor(page, locale = "es") {
    this.page = page;
    /** Tests in English look for few of the words. */
    this.words = /** @type {Words} */ (TEXTS[locale]);
    const element = page.locator("payment-operations");
    const { words } = this;
    this.element = element;
    this.heading = page.getByRole("heading", { level: 1, name: words.page });
    this.name = element.getByLabel(words.name);
    this.password = element.getByLabel(words.password);
    this.code = element.getByLabel(words.code, { exact: true });
    this.signInButton = element.getByRole("button", { name: words.signIn });
    this.signOutButton = element.getByRole("button", { name: words.signOut });
    this.identifier = element.getByLabel(words.identifier);
    this.searchButton = element.getByRole("button", { name: words.search, exact: true });
    this.found = element.getByRole("table", { name: words.found });
    this.dialog = element.getByRole("dialog");
    /** The code of a dialog: of the app, or the one for an enrolment. */
    this.dialogCode = this.dialog.getByLabel(words.code, { exact: true }).or(this.dialog.getByLabel(words.enrolmentCode));
    this.setUpFactor = element.getByRole("button", { name: words.setUpFactor });
    this.results = this.dialog.getByRole("heading", { name: words.results });
    /** The buttons that open the operations of the list. */
    this.rows = this.found.getByRole("button", { name: /\d{4} \d{4} \d{4}$/ });
  }

  async open(query = "") {
    await this.page.goto(`/staff.html${query}`);
  }

  /** @param {string} name */
  async signIn(name, password = servers.staff_password) {
    await this.name.fill(name);
    await this.password.fill(password);
    await this.signInButton.click();
  }

  /** @param {string} identifier */
  async search(identifier) {
    await this.identifier.fill(identifier);
    await this.searchButton.click();
  }

  /**
   * The heading of an operation that is open.
   * @param {string} number
   */
  operation(number) {
    return this.element.getByRole("heading", { name: `${this.words.operation} ${inGroups(number)}` });
  }

  /**
   * The button that opens an operation of the list.
   * @param {string} number
   */
  row(number) {
    return this.found.getByRole("button", { name: inGroups(number) });
  }

  /** Shows the further filters. */
  async unfold() {
    await this.element.getByRole("button", { name: this.words.filters }).click();
  }

  /**
   * Marks an operation of the list, or takes the mark away.
   * @param {string} number
   */
  async choose(number) {
    await this.found.getByLabel(`Elegir la operación ${inGroups(number)}`).click();
  }

  /**
   * An entry of the list of exceptions.
   * @param {string} number
   */
  exception(number) {
    const entries = this.element.getByRole("listitem");
    return entries.filter({ has: this.page.getByRole("button", { name: inGroups(number) }) });
  }

  /**
   * Looks an operation up and opens it, with what the service says of it now.
   * @param {string} number
   */
  async look(number) {
    await this.search(number);
    // The list of before may have it, too.
    await expect(this.rows).toHaveCount(1);
    await this.row(number).click();
    await expect(this.operation(number)).toBeVisible();
    await this.query();
  }

  /** Asks the service anew. */
  async query() {
    const answered = this.page.waitForResponse(/\/api\/staff\/charges\//);
    await this.button("query").click();
    await answered;
  }

  /** @param {Word} word */
  button(word, within = this.element) {
    return within.getByRole("button", { name: this.words[word], exact: true });
  }

  /**
   * Opens the form of a refund and fills in an amount, as it is typed.
   * @param {string} amount
   */
  async typeRefund(amount) {
    await this.button("refund").click();
    await this.takePart(amount);
  }

  /**
   * Fills in a part of what is left.
   * @param {string} amount
   */
  async takePart(amount, within = this.dialog) {
    await within.getByRole("radio", { name: this.words.part }).check();
    await within.getByLabel(this.words.amount).fill(amount);
  }

  /** Takes all that is left. */
  async takeAll(within = this.dialog) {
    await within.getByRole("radio", { name: this.words.all }).check();
  }

  /**
   * The same, to the end.
   * @param {string} amount
   */
  async refund(amount) {
    await this.typeRefund(amount);
    await this.button("review", this.dialog).click();
    await this.button("sendRefund", this.dialog).click();
    await expect(this.results).toBeVisible();
  }

  /**
   * The amount that is left to refund, as the operation's page shows it.
   * @param {string} amount
   */
  left(amount) {
    return this.element.getByText(`Queda por reembolsar: ${amount}`);
  }

  async closeDialog() {
    await this.button("close", this.dialog).click();
    await expect(this.dialog).toBeHidden();
  }
}
