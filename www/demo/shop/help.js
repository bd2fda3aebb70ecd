// The message that the payer would send: it names the operation of the address.

import { find } from "./dom.js";
import { language, locale } from "./texts.js";

/** The greeting, the question about an operation and without one, and what this page is. @type {Record<string, string[]>} */
const TEXTS = {
  es: [
    "¡Hola! ¿En qué te ayudamos con tu pago?",
    "Hola, tengo una pregunta sobre mi operación {number}.",
    "Hola, tengo una pregunta sobre mi pago.",
    "Página de prueba: aquí se abriría el chat de la tienda con este mensaje.",
  ],
  en: [
    "Hello! How can we help you with your payment?",
    "Hello, I have a question about my operation {number}.",
    "Hello, I have a question about my payment.",
    "A page for trying out: the shop's chat would open here with this message.",
  ],
  pt: [
    "Olá! Como podemos ajudar com o seu pagamento?",
    "Olá, tenho uma pergunta sobre a minha operação {number}.",
    "Olá, tenho uma pergunta sobre o meu pagamento.",
    "Página de teste: aqui abriria o chat da loja com esta mensagem.",
  ],
};

const number = new URLSearchParams(location.search).get("operation") ?? "";
const [greeting, about, general, note] = TEXTS[language];
document.documentElement.lang = locale;
find("greeting").textContent = greeting;
find("question").textContent = number ? about.replace("{number}", number.replace(/(\d{4})(?=\d)/g, "$1\u{a0}")) : general;
find("note").textContent = note;
