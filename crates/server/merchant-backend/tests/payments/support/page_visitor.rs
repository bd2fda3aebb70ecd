//! A browser without scripts at the server's own page of an order: it follows links, fills forms and keeps no
//! cookie.

use reqwest::header::HeaderMap;
use reqwest::{Client, Url, redirect};
use std::collections::BTreeMap;

pub(crate) struct PageVisitor {
    client: Client,
    /// The address of the page.
    pub(crate) url: String,
}

pub(crate) struct PageSeen {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) html: String,
}

impl PageVisitor {
    pub(crate) fn at(url: &str) -> Self {
        let client = Client::builder().redirect(redirect::Policy::none());
        Self {
            client: client.build().unwrap(),
            url: url.to_owned(),
        }
    }

    /// The page at the address to which the server leads.
    pub(crate) async fn look(&self) -> PageSeen {
        let page = self.get("").await;
        self.followed(page).await
    }

    /// The page, or an address below it, in English.
    pub(crate) async fn get(&self, below: &str) -> PageSeen {
        self.exactly_at(&format!("{below}?lang=en")).await
    }

    /// The answer at an address below that of the page.
    pub(crate) async fn exactly_at(&self, below: &str) -> PageSeen {
        let url = format!("{}{below}", self.url);
        Self::seen(self.client.get(&url).send().await.unwrap()).await
    }

    /// The page as a browser asks for it before anybody does, with this value of `Sec-Purpose`.
    pub(crate) async fn load_in_advance(&self, purpose: &str) -> PageSeen {
        let request = self.client.get(&self.url).header("sec-purpose", purpose);
        Self::seen(request.send().await.unwrap()).await
    }

    /// Sends a form as it is; the answer is not followed.
    pub(crate) async fn send(&self, below: &str, fields: &[(&str, &str)]) -> PageSeen {
        let url = format!("{}{below}?lang=en", self.url);
        let body = Url::parse_with_params("http://form.example", fields).unwrap();
        let body = body.query().unwrap_or_default().to_owned();
        let form = "application/x-www-form-urlencoded";
        let request = self.client.post(&url).header("content-type", form);
        let request = request.body(body);
        // A page without a referrer sends no origin.
        let request = request.header("origin", "null");
        Self::seen(request.send().await.unwrap()).await
    }

    /// Presses the button of a method on the page that is seen, and follows the answer.
    pub(crate) async fn choose(&self, page: &PageSeen, method: &str) -> PageSeen {
        let mut fields = page.hidden();
        fields.insert("method", method);
        let fields: Vec<_> = fields.into_iter().collect();
        self.followed(self.send("", &fields).await).await
    }

    pub(crate) async fn followed(&self, answer: PageSeen) -> PageSeen {
        if answer.status != 303 {
            return answer;
        }
        let url = Url::parse(&self.url)
            .unwrap()
            .join(answer.header("location"))
            .unwrap();
        let answer = Self::seen(self.client.get(url).send().await.unwrap()).await;
        Box::pin(self.followed(answer)).await
    }

    async fn seen(answer: reqwest::Response) -> PageSeen {
        PageSeen {
            status: answer.status().as_u16(),
            headers: answer.headers().clone(),
            html: answer.text().await.unwrap(),
        }
    }
}

impl PageSeen {
    pub(crate) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name).map(|value| value.to_str().unwrap());
        value.unwrap_or_default()
    }

    pub(crate) fn heading(&self) -> &str {
        let (_, rest) = self.html.split_once("<h1").expect(&self.html);
        let (_, rest) = rest.split_once('>').unwrap();
        rest.split_once("</h1>").unwrap().0
    }

    pub(crate) fn says(&self, text: &str) -> bool {
        self.html.contains(text)
    }

    /// The hidden fields of its forms.
    pub(crate) fn hidden(&self) -> BTreeMap<&str, &str> {
        let inputs = self.html.split("<input type=\"hidden\"").skip(1);
        let attribute = |input: &'_ str, name: &str| -> Option<(usize, usize)> {
            let start = input.find(&format!("{name}=\""))? + name.len() + 2;
            let length = input.get(start..)?.find('"')?;
            Some((start, start + length))
        };
        inputs
            .map(|input| {
                let (start, end) = attribute(input, "name").unwrap();
                let name = &input[start..end];
                let (start, end) = attribute(input, "value").unwrap();
                (name, &input[start..end])
            })
            .collect()
    }

    /// The number of the operation that it shows, without blanks.
    pub(crate) fn number(&self) -> String {
        let (_, rest) = self.html.split_once("Operation number").expect(&self.html);
        let digits = rest
            .chars()
            .skip_while(|c| !c.is_ascii_digit())
            .take_while(|c| c.is_ascii_alphanumeric() || *c == ' ');
        digits.filter(|c| *c != ' ').collect()
    }
}
