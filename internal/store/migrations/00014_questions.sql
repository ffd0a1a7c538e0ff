-- +goose Up
-- The question of a quiz or poll. version is raised by every change, so that an answer is judged by what it was given to.
CREATE TABLE loyalty_questions (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_rule_id UUID NOT NULL UNIQUE,
    text TEXT NOT NULL,
    allow_multiple_attempts BOOLEAN NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (website_id, id),
    FOREIGN KEY (website_id, loyalty_rule_id) REFERENCES loyalty_rules (website_id, id)
);

-- position is the place among the question's choices; sort_identifier is the caller's, as JSON.
CREATE TABLE loyalty_question_choices (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_question_id UUID NOT NULL,
    text TEXT NOT NULL,
    is_correct BOOLEAN NOT NULL,
    sort_identifier TEXT NOT NULL,
    position BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    FOREIGN KEY (website_id, loyalty_question_id) REFERENCES loyalty_questions (website_id, id)
);
CREATE INDEX loyalty_question_choices_of_question ON loyalty_question_choices (loyalty_question_id, position);

-- Every answer that was given. Rows are never changed.
CREATE TABLE loyalty_question_responses (
    id UUID PRIMARY KEY,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    loyalty_question_id UUID NOT NULL,
    loyalty_question_choice_id UUID NOT NULL,
    user_id UUID NOT NULL,
    created_at BIGINT NOT NULL,
    FOREIGN KEY (website_id, loyalty_question_id) REFERENCES loyalty_questions (website_id, id),
    FOREIGN KEY (website_id, user_id) REFERENCES members (website_id, user_id)
);
CREATE INDEX loyalty_question_responses_newest ON loyalty_question_responses (website_id, created_at, id);
CREATE INDEX loyalty_question_responses_of_question ON loyalty_question_responses (loyalty_question_id, created_at, id);
CREATE INDEX loyalty_question_responses_of_choice ON loyalty_question_responses (loyalty_question_choice_id);
CREATE INDEX loyalty_question_responses_of_user ON loyalty_question_responses (user_id, loyalty_question_id, created_at, id);

-- The answer that counts for a user or a group of users: one per question, which is what makes a single attempt single.
CREATE TABLE loyalty_question_answers (
    loyalty_question_id UUID NOT NULL,
    subject_id UUID NOT NULL,
    organization_id UUID NOT NULL,
    website_id UUID NOT NULL,
    response_id UUID NOT NULL,
    loyalty_question_choice_id UUID NOT NULL,
    user_id UUID NOT NULL,
    answered_at BIGINT NOT NULL,
    PRIMARY KEY (loyalty_question_id, subject_id),
    FOREIGN KEY (website_id, loyalty_question_id) REFERENCES loyalty_questions (website_id, id)
);
CREATE INDEX loyalty_question_answers_of_subject ON loyalty_question_answers (subject_id);

-- +goose Down
SELECT 1;
