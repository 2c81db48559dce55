-- Two persons of the staff remove the second factor that a seller's person has lost: one asks, another approves.
alter type "ApprovalKind" add value 'second_factor_reset';
