use super::Staff;
use crate::clock::now;
use crate::http::Failure;
use crate::http::app::App;
use crate::http::problem::{Problem, ProblemKind};
use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use payment_model::Timestamp;
use payment_rules::search::Search;
use staff_model::{SearchPage, SearchQuery, WrongField};

/// The query of a request, or the error in it.
pub(super) type Asked = Result<Query<SearchQuery>, QueryRejection>;

/// `GET /api/staff/operations`.
pub(super) async fn search(
    State(app): State<App>,
    staff: Staff,
    asked: Asked,
) -> Result<Json<SearchPage>, Failure> {
    let (query, search) = read(asked, staff.codes.clone())?;
    let page = app.db.search(&search, unsettled_since(&app)).await?;
    Ok(Json(SearchPage {
        operations: page.rows,
        next_cursor: page.next.map(|cursor| cursor.write(&query)),
    }))
}

/// Reads a search among the operations of these merchant codes.
pub(super) fn read(asked: Asked, codes: Vec<String>) -> Result<(SearchQuery, Search), Problem> {
    let Query(query) = asked.map_err(|rejection| {
        let detail = format!("The query cannot be read: {}.", rejection.body_text());
        Problem::new(ProblemKind::BadRequest, detail)
    })?;
    let mut search = Search::read(&query).map_err(|fault| {
        Problem::new(ProblemKind::BadRequest, format!("{fault}.")).carrying(&WrongField {
            field: fault.field.to_owned(),
        })
    })?;
    search.among = codes;
    Ok((query, search))
}

/// Since when a payment has to be settled by now.
pub(super) fn unsettled_since(app: &App) -> Timestamp {
    now().saturating_sub(app.config.staff.settlement_due)
}

#[cfg(test)]
mod tests {
    use axum::extract::Query;
    use staff_model::{Address, SearchQuery};

    #[test]
    fn a_search_that_the_element_writes_into_an_address_is_read() {
        let query = SearchQuery {
            q: "a b&c=%".to_owned(),
            state: "LIQUIDADO none".to_owned(),
            cursor: "x+/=".to_owned(),
            limit: "200".to_owned(),
            ..SearchQuery::default()
        };
        let address = Address::search().with_query(&query.fields());
        let uri = address.path().parse().unwrap();
        let read = Query::<SearchQuery>::try_from_uri(&uri).unwrap();
        assert_eq!(read.0, query);
    }
}
