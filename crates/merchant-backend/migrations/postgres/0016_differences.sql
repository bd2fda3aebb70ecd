-- Operations of which a statement of the payment service said something else than the server knew.
CREATE TABLE differences (
    merchant_code             TEXT NOT NULL,
    merchant_operation_number TEXT NOT NULL,
    since                     BIGINT NOT NULL,
    detail                    TEXT NOT NULL,
    PRIMARY KEY (merchant_code, merchant_operation_number),
    FOREIGN KEY (merchant_code, merchant_operation_number)
        REFERENCES operations (merchant_code, merchant_operation_number)
);
