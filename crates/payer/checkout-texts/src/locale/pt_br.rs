//! Portuguese as it is said in Brazil, to a payer: short, calm, money first.
//!
//! *Estornado* is what Brazilian banks call money that was given back, and a code to scan is a
//! *QR Code* in every app there.

use crate::keys::Text;
use crate::outside_texts::{Failures, PageText};

/// The wording of a text.
pub(super) fn text(text: Text) -> &'static str {
    match text {
        Text::BillTotal => "Total a pagar",
        Text::BillAmount => "Valor",
        Text::BillOrder => "Pedido {order}",

        Text::ActionCheck => "Verificar agora",
        Text::Checked => "Ainda não vimos seu pagamento. Última verificação: {time}.",
        Text::CheckedInVain => {
            "Se já pagou, não pague de novo. O serviço de pagamentos não responde agora. Última resposta: {time}."
        }
        Text::CheckTooSoon => "Acabamos de verificar. Espere alguns segundos e tente de novo.",
        Text::ActionRetry => "Tentar de novo",
        Text::ActionAnother => "Pagar de outra forma",
        Text::ActionCancel => "Cancelar",
        Text::ActionCancelLabel => "Cancelar pagamento",
        Text::ActionNewQr => "Gerar outro QR Code",

        Text::NumberLabel => "Número da operação",
        Text::NumberCopy => "Copiar",
        Text::NumberCopyLabel => "Copiar número da operação",
        Text::Copied => "Copiado",
        Text::CopyFailed => "Não deu para copiar. Mantenha o dedo sobre o número para copiá-lo.",

        Text::ChooseHeading => "Como você quer pagar?",
        Text::ChooseOneHeading => "Pague seu pedido",
        Text::ChooseLead => "Vamos confirmar o pagamento aqui mesmo.",
        Text::Trust => "Nunca pediremos a senha do seu app ou banco.",
        Text::ChooseNone => "Nenhuma forma de pagamento disponível. Fale com a loja.",
        Text::AboveMost => "{method} você pode pagar até {most}.",
        Text::BelowLeast => "{method} você pode pagar a partir de {least}.",
        Text::OtherCurrency => "{method} não é possível pagar em {currency}.",
        Text::NotOffered => "{method} não é possível pagar este pedido.",
        Text::LastDeclined => "Sua tentativa anterior ({number}) não foi aprovada.",
        Text::LastExpired => "Seu código anterior ({number}) venceu sem pagamento.",
        Text::LastCancelled => "Seu código anterior ({number}) foi cancelado.",
        Text::MethodQr => "Com QR Code",
        Text::MethodQrAbout => "Escaneie ou salve e pague pelo seu app.",
        Text::MethodQrWallets => "Com {wallets} ou o app do seu banco.",
        Text::MethodInstallment => "Parcelado",
        Text::MethodInstallmentAbout => "Escolha as parcelas com uma financeira e volte aqui.",
        Text::MethodCashCode => "Em dinheiro",
        Text::MethodCashCodeAbout => "Receba um código e pague em um ponto de atendimento.",
        Text::MethodBankTransfer => "Por transferência",
        Text::MethodBankTransferAbout => "Transfira da sua conta e volte aqui.",
        Text::MethodCard => "Com cartão",
        Text::MethodCardAbout => "De crédito ou de débito.",
        Text::MethodWallet => "Com carteira digital",
        Text::MethodWalletAbout => "Confirme o pagamento no seu celular.",
        Text::MethodOther => "Com {method}",
        Text::MethodOtherAbout => "Vamos mostrar o passo a passo.",

        Text::LiveQrHeading => "Você já tem um QR Code para este pedido",
        Text::LiveCodeHeading => "Você já tem um código deste pedido",
        Text::LiveHeading => "Você já começou a pagar este pedido",
        Text::LiveLead => {
            "Você ainda pode pagar {pay}. Se já pagou, não escolha outra forma: espere a confirmação."
        }
        Text::LiveQrShow => "Ver meu QR Code",
        Text::LiveCodeShow => "Ver meu código",
        Text::LiveShow => "Ver esse pagamento",
        Text::LiveReplace => "Cancelar o anterior e pagar {pay}",

        Text::PreparingHeading => "Preparando seu pedido",
        Text::PreparingLead => "A loja está preparando seu pedido. Nada foi cobrado ainda.",
        Text::AuthorizingQrHeading => "Gerando seu QR Code",
        Text::AuthorizingHeading => "Preparando seu pagamento",
        Text::AuthorizingLead => "Um momento. Nada foi cobrado ainda.",
        Text::AuthorizingSlow => {
            "Está demorando mais que o normal. Espere mais um pouco ou pague de outra forma."
        }
        Text::CheckingHeading => "Verificando seu pagamento",
        Text::CheckingLead => "Se você já pagou, não pague de novo.",
        Text::ConfirmingHeading => "Estamos confirmando seu pagamento",
        Text::ConfirmingLead => "Se você já pagou, não pague de novo. O resultado aparecerá aqui.",

        Text::QrHeading => "Escaneie com seu app",
        Text::QrPhoneHeading => "Pague neste celular",
        Text::QrReady => "Seu QR Code para pagar {amount} está pronto.",
        Text::QrAlt => "QR Code para pagar {amount}. Escaneie com seu app de pagamento ou salve.",
        Text::QrAltPayee => {
            "QR Code para pagar {amount} a {payee}. Escaneie com seu app de pagamento ou salve."
        }
        Text::QrEnlarge => "Ampliar QR Code",
        Text::QrSave => "Salvar QR Code",
        Text::QrShare => "Compartilhar",
        Text::QrSaved => {
            "Procure na galeria ou nos downloads. Não está lá? Mantenha o dedo sobre o QR Code e salve."
        }
        Text::QrOpenStep => "Abra seu app de pagamento.",
        Text::QrOpenWalletsStep => "Abra {wallets} ou o app do seu banco.",
        Text::QrScanStep => "Escaneie este QR Code.",
        Text::QrUploadStep => "Abra seu app de pagamento e escolha o QR Code na galeria.",
        Text::QrUploadWalletsStep => {
            "Abra {wallets} ou o app do seu banco e escolha o QR Code na galeria."
        }
        Text::QrVerifyStep => "Só confirme se o valor for {amount}.",
        Text::QrVerifyPayeeStep => "Só confirme se aparecerem {payee} e {amount}.",
        Text::QrReturnStep => "Volte aqui para ver a confirmação.",
        Text::QrWaiting => "Aguardando seu pagamento",

        Text::DeadlineAt => "Vence: {date}",
        Text::DeadlineLeft => "Vence em {time}",
        Text::DeadlineTooLate => {
            "Se ainda não começou a pagar, espere: quando vencer você poderá gerar outro."
        }
        Text::DeadlineSaid => "Você tem {time} para pagar.",
        Text::DeadlinePeru => "horário do Peru",

        Text::LenderHeading => "Continue na financeira",
        Text::LenderLead => "Escolha as parcelas e volte aqui para ver a confirmação.",
        Text::LenderLeaving => "Levando você à financeira",
        Text::ContinueHeading => "Continue para concluir o pagamento",
        Text::ContinueLead => "Confirme o pagamento na outra página e volte aqui.",
        Text::ContinueLeaving => "Levando você para concluir o pagamento",
        Text::ContinueLeavingLead => "Se a página não mudar sozinha, toque em “{link}”.",
        Text::ContinueLink => "Continuar",
        Text::LenderLink => "Ir para a financeira",
        Text::BankLink => "Ir para o meu banco",
        Text::ContinueHost => "Você irá para {host}",

        Text::CashHeading => "Seu código de pagamento",
        Text::CashLead => {
            "Pague em um ponto de atendimento. Pode fechar esta página: o código continua válido."
        }
        Text::CashLeadDate => {
            "Pague em um ponto de atendimento até {date}. Pode fechar esta página: o código continua válido."
        }
        Text::CashLabel => "Código de pagamento",
        Text::CashCopy => "Copiar código",
        Text::CashPrint => "Imprimir",
        Text::CashHelp => "Ver onde e como pagar",
        Text::CashComingHeading => "Seu código está a caminho",
        Text::CashComingLead => "Ele aparecerá aqui em instantes. Ainda não há nada a pagar.",
        Text::TransferHeading => "Aguardando sua transferência",
        Text::TransferLead => {
            "Se você já transferiu, não repita. Ela aparecerá aqui quando o banco confirmar."
        }
        Text::WaitingHeading => "Aguardando seu pagamento",
        Text::WaitingLead => "Se você já pagou, não pague de novo. A confirmação aparecerá aqui.",

        Text::LastCheckHeading => "O tempo para pagar acabou",
        Text::LastCheckLead => "Se você acabou de pagar, espere: estamos confirmando.",
        Text::OverdueQrHeading => "Este QR Code venceu",
        Text::OverdueHeading => "O prazo para pagar venceu",
        Text::OverdueLead => {
            "Já pagou? Não pague de novo: continuamos verificando e você verá aqui."
        }
        Text::UnconfirmedQrHeading => "Ainda não sabemos se o seu QR Code anterior foi pago",
        Text::UnconfirmedHeading => "Ainda não sabemos se o seu pagamento anterior foi feito",
        Text::UnconfirmedLead => "Se você já pagou, não pague de novo: você verá aqui.",
        Text::UnconfirmedElsewhereLead => {
            "Ainda não sabemos se o seu código foi gerado. Se você receber um por e-mail ou mensagem, pode pagá-lo: ele vale, e você verá aqui."
        }
        Text::UnconfirmedAgain => "Não pagou? Você poderá pedir outro código a partir de {time}.",
        Text::UnconfirmedNow => "Se você não pagou, já pode pedir outro código.",

        Text::CancellingHeading => "Cancelando seu pagamento",
        Text::CancellingLead => "Antes, conferimos se ele não foi pago.",
        Text::AskHeading => "Cancelar este pagamento?",
        Text::AskLead => "Se você já pagou, espere a confirmação.",
        Text::AskKeep => "Voltar ao meu pagamento",
        Text::AskCancel => "Sim, cancelar",
        Text::AskAnotherHeading => "Pagar de outra forma?",
        Text::AskAnotherLead => {
            "Este pagamento será cancelado. Se você já pagou, espere a confirmação."
        }
        Text::AskAnother => "Cancelar e escolher outra forma",
        Text::CancelFailed => {
            "Não foi possível cancelar: o pagamento segue pendente. Você pode pagar ou tentar de novo."
        }

        Text::NoticeBefore => "Não conseguimos falar com a loja. Continuamos tentando.",
        Text::NoticeOffline => {
            "A conexão caiu. Se você pagar ou já pagou, vamos confirmar assim que ela voltar."
        }
        Text::NoticeTroubled => {
            "A loja está demorando a responder. Se você já pagou, não pague de novo: continuamos tentando."
        }
        Text::NoticeBack => "A conexão voltou.",

        Text::PaidHeading => "Pagamento confirmado!",
        Text::PaidLead => "Você pagou {amount}.",
        Text::PaidLeadMerchant => "Você pagou {amount} a {merchant}.",
        Text::PaidLeadOrder => "Você pagou {amount} pelo pedido {order}.",
        Text::PaidOthers => "Não use mais os outros códigos deste pedido: {numbers}.",
        Text::PaidContinue => "Ver meu pedido",
        Text::PaidLeadsOn => "Em 5 segundos você irá para {host}.",
        Text::PaidStay => "Ficar nesta página",
        Text::PaidStays => "Você continua nesta página.",
        Text::PaidTwiceHeading => "Recebemos dois pagamentos",
        Text::PaidTwiceLead => {
            "Seu pedido está pago. A loja vai falar com você para devolver um deles."
        }
        Text::PaidTwiceOthers => "Outros números deste pedido: {numbers}.",
        Text::ReceiptTitle => "Comprovante de pagamento",
        Text::ReceiptPayee => "Pago a",
        Text::ReceiptDate => "Data",
        Text::ReceiptMethod => "Forma de pagamento",
        Text::ReceiptOrder => "Referência",
        Text::ReceiptQr => "QR Code",
        Text::ReceiptInstallment => "Parcelas",
        Text::ReceiptCashCode => "Dinheiro",
        Text::ReceiptBankTransfer => "Transferência",
        Text::ReceiptCard => "Cartão",
        Text::ReceiptWallet => "Carteira digital",
        Text::ReceiptSave => "Salvar comprovante",
        Text::ReceiptSaved => "Procure na galeria ou nos downloads.",
        Text::ReceiptShare => "Compartilhar",
        Text::ReceiptPrint => "Imprimir",
        Text::DeclinedHeading => "Seu pagamento não foi aprovado",
        Text::DeclinedLead => {
            "Seu app, banco ou financeira não aprovou. Você pode tentar de novo ou pagar de outra forma."
        }
        Text::DeclinedCharge => "Apareceu uma cobrança? Fale com a loja antes de tentar de novo.",
        Text::InvalidHeading => "Não foi possível criar este pagamento",
        Text::InvalidLead => "Nada foi cobrado. Tente de novo e escolha como pagar.",
        Text::CancelledHeading => "Pagamento cancelado",
        Text::CancelledLead => "Nada foi cobrado. Não use mais o código ou link deste pagamento.",
        Text::CancelledReplaced => {
            "Em outra aba ou dispositivo foi escolhida outra forma de pagamento. Continue lá ou, se já a fechou, escolha aqui como pagar."
        }
        Text::CancelledStaff => "A loja cancelou este pagamento.",
        Text::CancelledPage => "Foi cancelado em outra página deste pedido.",
        Text::CancelledElsewhere => {
            "Foi cancelado em outra aba, em outro dispositivo ou pela loja."
        }
        Text::ExpiredQrHeading => "Este QR Code venceu",
        Text::ExpiredHeading => "O prazo para pagar venceu",
        Text::ExpiredLead => {
            "Não vimos seu pagamento. Se você já pagou, não pague de novo: ele aparecerá aqui."
        }
        Text::ReversedHeading => "Seu pagamento foi estornado",
        Text::ReversedLead => "Seu dinheiro será devolvido. Seu banco pode dizer quando ele chega.",
        Text::ReversedHelp => "Dúvidas? Fale com a loja e informe o número da operação.",
        Text::HelpLink => "Precisa de ajuda?",
        Text::Details => "Detalhes",
        Text::Reason => "Motivo: {reason}",
        Text::Account => "Conta de origem",
        Text::Reference => "Referência do pagamento",
        Text::PaidAt => "Data do pagamento",

        Text::NetworkHeading => "Não foi possível conectar",
        Text::NetworkLead => {
            "Ainda não sabemos se o pagamento começou. Verifique sua internet e tente de novo."
        }
        Text::ServerHeading => "A loja está com um problema",
        Text::ServerLead => "Desta vez nada foi cobrado. Espere um momento e tente de novo.",
        Text::ServerUnknownLead => {
            "Ainda não sabemos se o pagamento começou. Espere um momento e tente de novo."
        }
        Text::RefusedHeading => "A loja não pôde aceitar este pagamento",
        Text::RefusedLead => "Desta vez nada foi cobrado. Confira seu pedido ou tente de novo.",
        Text::RefusedUnknownLead => {
            "Se você já pagou, não pague de novo: fale com a loja. Se não, confira seu pedido ou tente de novo."
        }
        Text::MayBePaidHeading => "Este pedido talvez já esteja pago",
        Text::MayBePaidLead => "Antes de pagar, pergunte à loja se este pedido já está pago.",
        Text::NoMethodHeading => "Não é possível pagar este pedido aqui",
        Text::NotFoundHeading => "Não encontramos este pagamento",
        Text::NotFoundLead => "Se você já pagou, não pague de novo: fale com a loja.",
        Text::AmountMismatchHeading => "O valor não bate com seu pedido",
        Text::AmountMismatchLead => "Não pague e avise a loja.",
        Text::QrImageHeading => "Não foi possível mostrar o QR Code",
        Text::QrImageLead => "Tente de novo ou pague de outra forma.",
        Text::ContinueUrlHeading => "Não foi possível abrir a página de pagamento",
        Text::ContinueUrlLead => {
            "O endereço não é seguro, por isso não levamos você. Tente de novo ou pague de outra forma."
        }
        Text::PageHeading => "A loja não conseguiu iniciar o pagamento",
        Text::PageLead => "Desta vez nada foi cobrado. Tente de novo ou fale com a loja.",
        Text::ConfigurationHeading => "Ainda não dá para pagar aqui",
        Text::ConfigurationLead => {
            "Falta algo nesta página e desta vez nada foi cobrado. Avise a loja."
        }
    }
}

/// The wording of a text of the server's own page.
pub(super) fn page_text(text: PageText) -> &'static str {
    match text {
        PageText::Title => "Pagar a {merchant}",
        PageText::OnPhone => "Pagar no meu celular",
        PageText::OnPhoneLead => {
            "Leia este código com a câmera do celular: ele abre esta mesma página."
        }
        PageText::OnPhoneAlt => "Código QR com o endereço desta página. Não é o código para pagar.",
        PageText::Keep => {
            "Guarde o endereço desta página: ela sempre mostra o estado atual do seu pagamento."
        }
        PageText::GivenBack => "Devolvido ou a caminho: {amount}",
        PageText::ClosedHeading => "Este pedido está fechado",
        PageText::ClosedLead => {
            "Ele não pode mais ser pago. Para comprar, faça um novo pedido. Se você já pagou, fale com a loja."
        }
        PageText::PayAgain => "Se quiser, você pode pagar de novo:",
        PageText::Back => "Voltar ao meu pagamento",
        PageText::TooOften => "Houve tentativas demais. Espere um minuto e tente de novo.",
        PageText::TryAgainLead => {
            "Se você já pagou, não pague de novo. Espere um momento e tente outra vez."
        }
        PageText::OrderRefused => {
            "O pedido que a loja enviou não vale mais. Volte à loja e comece a pagar de novo. Desta vez nada foi cobrado."
        }
        PageText::TooManyAttempts => {
            "Houve tentativas demais de pagar este pedido. Espere uma hora, ou volte à loja e faça um novo pedido. Se você já pagou, não pague de novo: fale com a loja."
        }
        PageText::CodeRefused => {
            "O código QR que recebemos não corresponde ao seu pedido, por isso não o mostramos. Nada foi cobrado. Escolha outra forma de pagamento ou fale com a loja."
        }
        PageText::NotFoundLead => {
            "O endereço está incompleto ou não vale mais. Peça um novo à loja."
        }
        PageText::Language => "Idioma",
        PageText::Zone => "horário de {place}",
    }
}

/// The failure messages of the element, shown when its wasm does not run.
pub(super) const FAILURES: Failures = Failures {
    load: (
        "Não foi possível carregar o pagamento",
        "Se você já pagou, não pague de novo. Verifique sua conexão.",
        Some("Tentar de novo"),
    ),
    unable: (
        "Este navegador não consegue mostrar o pagamento",
        "Se você já pagou, não pague de novo. Abra esta página em outro navegador.",
        None,
    ),
    outdated: (
        "Esta página está desatualizada",
        "Se você já pagou, não pague de novo: recarregue para ver a situação.",
        Some("Recarregar a página"),
    ),
    crash: (
        "O pagamento foi interrompido",
        "Se você já pagou, não pague de novo: recarregue para ver a situação.",
        Some("Recarregar a página"),
    ),
    again: (
        "O pagamento não funciona nesta página",
        "Se você já pagou, não pague de novo. A loja pode informar a situação.",
        None,
    ),
    number: "Número da operação",
    elsewhere: "Pagar em outra página",
};
