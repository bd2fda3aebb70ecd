/** The back office of the demo shop, and the staff's element in it. */
export class Staff {
  constructor(page) {
    this.page = page;
    this.element = page.locator("payment-operations");
    this.heading = page.getByRole("heading", { level: 1, name: "Panel del personal" });
    this.name = this.element.getByLabel("Usuario");
    this.password = this.element.getByLabel("Contraseña");
    this.signInButton = this.element.getByRole("button", { name: "Ingresar" });
    this.signOutButton = this.element.getByRole("button", { name: "Cerrar sesión" });
    this.identifier = this.element.getByLabel("Número, pedido o código");
    this.searchButton = this.element.getByRole("button", { name: "Buscar", exact: true });
    this.found = this.element.getByRole("table", { name: "Operaciones encontradas" });
  }

  async open(query = "") {
    await this.page.goto(`/staff.html${query}`);
  }

  async signIn({ name, password }) {
    await this.name.fill(name);
    await this.password.fill(password);
    await this.signInButton.click();
  }

  async search(identifier) {
    await this.identifier.fill(identifier);
    await this.searchButton.click();
  }

  /** The heading of an operation that is open. */
  operation(number) {
    return this.element.getByRole("heading", { name: `Operación ${number}` });
  }
}
